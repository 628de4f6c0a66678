-- keys: wake meta
-- Leaves tokens for workers that wait, up to three: a worker that follows one leaves another
-- while jobs are ready, and more would only send workers to a queue that is empty by then.
local function leaveTokens(count)
  local tokens = redis.pcall('LLEN', wake)
  if type(tokens) ~= 'number' then
    return
  end
  for _ = tokens + 1, math.min(count, 3) do
    redis.call('LPUSH', wake, '1')
  end
  if tokens > 3 then
    redis.call('LTRIM', wake, 0, 2)
  end
end

-- Leaves tokens for jobs that have become ready, unless the queue gives nothing out.
local function wakeWorkers(count)
  if count > 0 and not redis.pcall('HMGET', meta, 'paused')[1] then
    leaveTokens(count)
  end
end
