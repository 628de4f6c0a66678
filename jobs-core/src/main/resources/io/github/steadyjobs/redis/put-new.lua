-- keys: ready scheduled
-- Where new jobs wait.
--#include wake
-- Makes jobs ready or schedules them, and wakes workers for them and for others that may continue.
-- earliest is the scheduled job that was due first before.
local function putNew(newReady, newScheduled, earliest, others)
  local tokens = #newReady + others
  if #newReady > 0 then
    redis.call('LPUSH', ready, unpack(newReady))
  end
  if #newScheduled > 0 then
    redis.call('ZADD', scheduled, unpack(newScheduled))
    if redis.call('ZRANGE', scheduled, 0, 0)[1] ~= earliest then
      -- A worker that sleeps until the formerly earliest job is due has to look again.
      tokens = math.max(tokens, 1)
    end
  end
  wakeWorkers(tokens)
end
