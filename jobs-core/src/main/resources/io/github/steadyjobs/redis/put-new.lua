-- keys: ready scheduled meta
-- Puts new jobs where they wait: newReady has ids, and newScheduled due times and ids. Wakes workers for
-- them and for as many others as may continue. earliest is the scheduled job that was due first before.
--#include wake
if #newReady > 0 then
  redis.call('LPUSH', ready, unpack(newReady))
end
local tokens = #newReady + others
if #newScheduled > 0 then
  redis.call('ZADD', scheduled, unpack(newScheduled))
  if redis.call('ZRANGE', scheduled, 0, 0)[1] ~= earliest then
    -- A worker that sleeps until the formerly earliest job is due has to look again.
    tokens = math.max(tokens, 1)
  end
end
wakeWorkers(tokens)
if hint('HINCRBY', meta, 'seq', 1) == 1 then
  -- The first change begins a data set, and is greater than any that an earlier one can have reached.
  redis.call('HSETNX', meta, 'schema', '1')
  redis.call('HSETNX', meta, 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  redis.call('HSET', meta, 'seq', time[1] .. string.format('%06d', time[2]))
end
