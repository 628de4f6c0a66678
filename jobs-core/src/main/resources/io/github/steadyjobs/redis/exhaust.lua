-- keys: working payloads dead cancelled crashes meta stats ready
--[[
  Moves one payload of an ordered job to the dead set, or forgets it, and lets the job go on with
  the others at once. The dead set is trimmed.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  id under which the dead payload is kept
  ARGV[5]  the job with this payload alone; '' to forget it
  ARGV[6]  the job with the other payloads, without its failures
  ARGV[7]  number of dead jobs to keep
  ARGV[8]  age in milliseconds up to which they are kept

  Returns D for done; C if the job was cancelled while it ran and has ended; A for already,
  because an earlier answer was lost; S for stale, because another claim holds the job.
  Nothing is written for A and S.
]]
local holder = redis.call('HGET', working, ARGV[2])
if not holder or ARGV[5] ~= '' and redis.call('ZSCORE', dead, ARGV[4]) then
  -- What is left of the job may have been given out again by now.
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', payloads)
redis.call('ZCARD', dead)
redis.call('LLEN', ready)

redis.call('HDEL', working, ARGV[2])
redis.pcall('HDEL', crashes, ARGV[2])
redis.pcall('HINCRBY', meta, 'seq', 1)
--#include trim
--#include gathered
if redis.pcall('SREM', cancelled, ARGV[2]) == 1 then
  promote({ ARGV[2] })
  return 'C'
end
if ARGV[5] ~= '' then
  redis.call('HSET', payloads, ARGV[4], ARGV[5])
  redis.call('ZADD', dead, string.format('%.0f', now), ARGV[4])
  redis.pcall('HINCRBY', stats, 'dead', 1)
  trimDead(now, tonumber(ARGV[7]), tonumber(ARGV[8]))
else
  redis.pcall('HINCRBY', stats, 'discarded', 1)
end
if headOf(ARGV[6]) < #ARGV[6] then
  redis.call('HSET', payloads, ARGV[2], withGathered(ARGV[2], ARGV[6]))
  redis.call('LPUSH', ready, ARGV[2])
  wakeWorkers(1)
else
  redis.call('HDEL', payloads, ARGV[2])
  promote({ ARGV[2] })
end
return 'D'
