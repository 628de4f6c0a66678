-- keys: working payloads dead cancelled crashes meta stats lockof
--[[
  Moves a job to the dead set, and trims that. Or forgets the job, and only counts it.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  payload to store, or '' to keep the stored one; to forget the job, how it is
           counted: 'discarded' or 'expired', without the others
  ARGV[5]  number of dead jobs to keep
  ARGV[6]  age in milliseconds up to which they are kept

  Returns D for done; C if the job was cancelled while it ran and has ended; A for already,
  because an earlier answer was lost; S for stale, because another claim holds the job.
  Nothing is written for A and S.
]]
local holder = redis.call('HGET', working, ARGV[2])
if not holder then
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

redis.call('HDEL', working, ARGV[2])
redis.pcall('HDEL', crashes, ARGV[2])
redis.pcall('HINCRBY', meta, 'seq', 1)
--#include trim
if redis.pcall('HLEN', lockof) ~= 0 then
  endLocks({ ARGV[2] })
end
if redis.pcall('SREM', cancelled, ARGV[2]) == 1 then
  --#include gathered
  promote({ ARGV[2] })
  return 'C'
end
if not ARGV[5] then
  redis.call('HDEL', payloads, ARGV[2])
  if ARGV[4] == 'expired' then
    redis.pcall('HINCRBY', stats, 'expired', 1)
  else
    redis.pcall('HINCRBY', stats, 'discarded', 1)
  end
  return 'D'
end
if ARGV[4] ~= '' then
  redis.call('HSET', payloads, ARGV[2], ARGV[4])
end
redis.call('ZADD', dead, string.format('%.0f', now), ARGV[2])
redis.pcall('HINCRBY', stats, 'dead', 1)
trimDead(now, tonumber(ARGV[5]), tonumber(ARGV[6]))
return 'D'
