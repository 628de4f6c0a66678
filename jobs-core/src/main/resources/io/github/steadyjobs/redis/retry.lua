--[[
  Moves a job that failed to the retry set, or one that was put off before it began.

  KEYS[1]   working
  KEYS[2]   payloads
  KEYS[3]   retries
  KEYS[4]   cancelled
  KEYS[5]   meta
  KEYS[6]   wake
  KEYS[7]   stats
  KEYS[8]   locks
  KEYS[9]   lockof
  KEYS[10]  again
  KEYS[11]  mutexes
  KEYS[12]  parked
  KEYS[13]  ready

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  payload to store, with the failure counted; '' to keep the stored one, as the job
           is put off
  ARGV[5]  delay in milliseconds

  Returns D for done; C if the job was cancelled while it ran and has ended; A for already,
  as an earlier answer was lost; S for stale, as another claim holds the job. Nothing is
  written for A and S.

  A lock that ends with the job lasts until the job is due and the lock's TTL longer, at least.
]]
local holder = redis.call('HGET', KEYS[1], ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[5])

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', KEYS[2])
redis.call('ZCARD', KEYS[3])

redis.call('HDEL', KEYS[1], ARGV[2])
redis.pcall('HINCRBY', KEYS[5], 'seq', 1)
if ARGV[4] ~= '' then
  redis.pcall('HINCRBY', KEYS[7], 'failed', 1)
else
  redis.pcall('HINCRBY', KEYS[7], 'putoff', 1)
end
local cancelled = redis.pcall('SREM', KEYS[4], ARGV[2]) == 1
--#include locks
local at = {
  locks = KEYS[8], lockof = KEYS[9], again = KEYS[10], mutexes = KEYS[11], parked = KEYS[12],
  payloads = KEYS[2], ready = KEYS[13], wake = KEYS[6], meta = KEYS[5],
}
if redis.pcall('HLEN', KEYS[9]) ~= 0 then
  local job = { ARGV[2] }
  leaveLocks(at, cancelled and job or {}, cancelled and {} or job, false, due)
end
if cancelled then
  return 'C'
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
end
redis.call('ZADD', KEYS[3], string.format('%.0f', due), ARGV[2])
if redis.call('ZRANGE', KEYS[3], 0, 0)[1] == ARGV[2] then
  -- Whoever sleeps until the job that was the earliest has to look again.
  wakeWorkers(at, 1)
end
return 'D'
