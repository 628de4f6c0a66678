-- keys: ready scheduled meta
-- Puts new jobs into the places where they wait: newReady contains ids, and newScheduled contains due
-- times and ids. Wakes workers for these jobs and for other jobs that may continue; others is the
-- number of these other jobs. earliest is the scheduled job that was due first before this call.
--#include wake
if #newReady > 0 then
  redis.call('LPUSH', ready, unpack(newReady))
end
local tokens = #newReady + others
if #newScheduled > 0 then
  redis.call('ZADD', scheduled, unpack(newScheduled))
  if redis.call('ZRANGE', scheduled, 0, 0)[1] ~= earliest then
    -- A worker that sleeps until the previously earliest job is due must check again.
    tokens = math.max(tokens, 1)
  end
end
wakeWorkers(tokens)
if hint('HINCRBY', meta, 'seq', 1) == 1 then
  -- The first change begins a data set. The count of changes starts at the time in microseconds, so that
  -- it exceeds the counts of all earlier data sets.
  redis.call('HSETNX', meta, 'schema', '1')
  redis.call('HSETNX', meta, 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  redis.call('HSET', meta, 'seq', time[1] .. string.format('%06d', time[2]))
end
