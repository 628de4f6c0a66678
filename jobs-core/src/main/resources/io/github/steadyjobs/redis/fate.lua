-- keys: ready payloads lockof scheduled retries parked gathered crashes since again mutexes
-- Before the first write, reads the keys that decide what happens to jobs. So a key of a wrong type
-- stops the script here, and not when a call is half done. Most queues have only ready jobs and
-- perhaps locks, and one command is enough to detect such a queue.
local hasLocks, hasGathered = false, false
redis.call('LLEN', ready)
redis.call('HLEN', payloads)
local present = redis.call('EXISTS', lockof, scheduled, retries, parked, gathered, crashes, since, again, mutexes)
if present > 0 then
  hasLocks = redis.call('HLEN', lockof) > 0
end
local isBare = present == (hasLocks and 1 or 0)
if not isBare then
  redis.call('ZCARD', scheduled)
  redis.call('ZCARD', retries)
  redis.call('HLEN', parked)
  hasGathered = redis.call('HLEN', gathered) > 0
end
