-- keys: working scheduled retries dead parked payloads
-- Finds the places of jobs.
local sorted = { scheduled = scheduled, retries = retries, dead = dead }

-- Returns the name of the key that contains a job, and the time or value of the job there, or '' for
-- a ready job. A suspect counts as ready. Returns nothing if there is no such job.
local function locate(id)
  local detail = redis.call('HGET', working, id)
  if detail then
    return 'working', detail
  end
  for place, key in pairs(sorted) do
    detail = redis.call('ZSCORE', key, id)
    if detail then
      return place, detail
    end
  end
  detail = redis.call('HGET', parked, id)
  if detail then
    return 'parked', detail
  end
  if redis.call('HEXISTS', payloads, id) == 1 then
    return 'ready', ''
  end
end
