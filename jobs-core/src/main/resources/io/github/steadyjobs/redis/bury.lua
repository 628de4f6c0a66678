--[[
  Moves a job to the dead set, and trims that. Or forgets the job, and only counts it.

  KEYS[1]   working
  KEYS[2]   payloads
  KEYS[3]   dead
  KEYS[4]   cancelled
  KEYS[5]   crashes
  KEYS[6]   meta
  KEYS[7]   stats
  KEYS[8]   locks
  KEYS[9]   lockof
  KEYS[10]  again
  KEYS[11]  mutexes
  KEYS[12]  parked
  KEYS[13]  ready
  KEYS[14]  wake

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  payload to store, or '' to keep the stored one; missing, as are the others, to
           forget the job
  ARGV[5]  number of dead jobs to keep
  ARGV[6]  age in milliseconds up to which they are kept

  Returns D for done; C if the job was cancelled while it ran and has ended; A for already,
  as an earlier answer was lost; S for stale, as another claim holds the job. Nothing is
  written for A and S.
]]
local holder = redis.call('HGET', KEYS[1], ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', KEYS[2])
redis.call('ZCARD', KEYS[3])

redis.call('HDEL', KEYS[1], ARGV[2])
redis.pcall('HDEL', KEYS[5], ARGV[2])
redis.pcall('HINCRBY', KEYS[6], 'seq', 1)
--#include trim
local at = {
  locks = KEYS[8], lockof = KEYS[9], again = KEYS[10], mutexes = KEYS[11], parked = KEYS[12],
  payloads = KEYS[2], ready = KEYS[13], wake = KEYS[14], meta = KEYS[6],
  dead = KEYS[3], crashes = KEYS[5], stats = KEYS[7],
}
if redis.pcall('HLEN', KEYS[9]) ~= 0 then
  endLocks(at, { ARGV[2] })
end
if redis.pcall('SREM', KEYS[4], ARGV[2]) == 1 then
  return 'C'
end
if not ARGV[4] then
  redis.call('HDEL', KEYS[2], ARGV[2])
  redis.pcall('HINCRBY', KEYS[7], 'discarded', 1)
  return 'D'
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
end
redis.call('ZADD', KEYS[3], string.format('%.0f', now), ARGV[2])
redis.pcall('HINCRBY', KEYS[7], 'dead', 1)
trimDead(at, now, tonumber(ARGV[5]), tonumber(ARGV[6]))
return 'D'
