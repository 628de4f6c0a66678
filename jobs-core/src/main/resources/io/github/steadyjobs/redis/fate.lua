-- keys: ready payloads working scheduled retries parked lockof gathered crashes since
-- Reads what the fate of jobs rests on, before the first write: a key of a wrong type stops a script
-- here, and leaves no half of a call behind. Most queues have ready jobs and nothing else, which one
-- command can tell.
local readyCount, heldCount = redis.call('LLEN', ready), redis.call('HLEN', working)
redis.call('HLEN', payloads)
local isBare = redis.call('EXISTS', scheduled, retries, parked, lockof, gathered, crashes, since) == 0
if not isBare then
  redis.call('ZCARD', scheduled)
  redis.call('ZCARD', retries)
  redis.call('HLEN', parked)
  redis.call('HLEN', lockof)
  redis.call('HLEN', gathered)
end
