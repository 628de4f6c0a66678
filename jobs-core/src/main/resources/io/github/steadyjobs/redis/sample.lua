-- keys: ready since payloads scheduled retries dead parked working cancelled suspects
--[[
  Measures a queue. Writes nothing.

  Returns {ready, latency, scheduled, retries, dead, parked, working, suspects}: numbers of
  jobs, and the milliseconds that the oldest ready one has waited. Cancelled jobs that still
  stand in the list are not counted, as long as they are not more than 1,000. A key of a wrong
  type counts as empty: the rest of the queue is measured all the same.
]]
local function number(length)
  return type(length) == 'number' and length or 0
end

local readyCount = number(redis.pcall('LLEN', ready))
local oldest = readyCount > 0 and redis.call('LINDEX', ready, -1)
local latency = 0
if oldest then
  local time = redis.call('TIME')
  local due = redis.pcall('HGET', since, oldest)
  local stored = not due and redis.pcall('HGET', payloads, oldest)
  -- The id of an ordered job is a digest, and its payloads follow on further lines.
  local first = type(stored) == 'string' and string.match(stored, '^([^\n]*)\n')
  local begun = type(due) == 'string' and due
    or first and (string.match(first, '"enqueued_at":(%d+)') or string.match(first, '"at":(%d+)') or 0)
    -- Any other id begins with the 48 bits of milliseconds at which it was made.
    or tonumber(string.sub(oldest, 1, 12), 16) or 0
  latency = math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(begun))
end
local workingCount = number(redis.pcall('HLEN', working))
local parkedCount = number(redis.pcall('HLEN', parked))
local cancelledCount = number(redis.pcall('SCARD', cancelled))
if cancelledCount > 0 and cancelledCount <= 1000 then
  local ids, elsewhere = redis.call('SMEMBERS', cancelled), 0
  -- One of the parked is on its way to another queue.
  for key, count in pairs({ [working] = workingCount, [parked] = parkedCount }) do
    for _, holder in ipairs(count > 0 and redis.call('HMGET', key, unpack(ids)) or {}) do
      elsewhere = elsewhere + (holder and 1 or 0)
    end
  end
  readyCount = math.max(0, readyCount - cancelledCount + elsewhere)
end
return {
  readyCount, latency, number(redis.pcall('ZCARD', scheduled)), number(redis.pcall('ZCARD', retries)),
  number(redis.pcall('ZCARD', dead)), parkedCount, workingCount,
  number(redis.pcall('LLEN', suspects)),
}
