-- keys: wake meta
-- Leaves up to three tokens for waiting workers. A worker that follows a token leaves another token
-- if more jobs are ready. Additional tokens would only send workers to a queue that is empty when
-- they arrive. A paused queue gets no tokens.
--#include hint
local function wakeWorkers(count)
  local tokens = count > 0 and hint('LLEN', wake)
  if tokens and tokens > 3 then
    redis.call('LTRIM', wake, 0, 2)
  elseif tokens and tokens < math.min(count, 3) and not hint('HGET', meta, 'paused') then
    for _ = tokens + 1, math.min(count, 3) do
      redis.call('LPUSH', wake, '1')
    end
  end
end
