-- Leaves tokens for workers that wait, up to three: whoever follows one leaves another while
-- jobs are ready, and more would only send workers to a queue that is empty by then. Included
-- by scripts that make jobs ready, and by locks.lua.
local function leaveTokens(key, count)
  local tokens = redis.pcall('LLEN', key)
  if type(tokens) ~= 'number' then
    return
  end
  for _ = tokens + 1, math.min(count, 3) do
    redis.call('LPUSH', key, '1')
  end
  if tokens > 3 then
    redis.call('LTRIM', key, 0, 2)
  end
end
