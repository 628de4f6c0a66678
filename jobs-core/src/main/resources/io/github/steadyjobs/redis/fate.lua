-- keys: ready payloads lockof scheduled retries parked gathered crashes since again mutexes
-- Reads what the fate of jobs rests on, before the first write: a key of a wrong type stops a script
-- here, and leaves no half of a call behind. Most queues have ready jobs and maybe locks, and nothing
-- else, which one command can tell.
local readyCount, hasLocks, hasGathered = redis.call('LLEN', ready), redis.call('HLEN', lockof) > 0, false
redis.call('HLEN', payloads)
local isBare = redis.call('EXISTS', scheduled, retries, parked, gathered, crashes, since, again, mutexes) == 0
if not isBare then
  redis.call('ZCARD', scheduled)
  redis.call('ZCARD', retries)
  redis.call('HLEN', parked)
  hasGathered = redis.call('HLEN', gathered) > 0
end
