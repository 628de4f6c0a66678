--[[
  Sets a job aside that cannot run for a reason that has nothing to do with time.

  KEYS[1]   working
  KEYS[2]   parked
  KEYS[3]   cancelled
  KEYS[4]   meta
  KEYS[5]   stats
  KEYS[6]   locks
  KEYS[7]   lockof
  KEYS[8]   again
  KEYS[9]   mutexes
  KEYS[10]  payloads
  KEYS[11]  ready
  KEYS[12]  wake

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  reason: 'unknown:<job name>', or 'unbound:<job name>/<signature>,…'
  ARGV[5]  payload to store, empty to keep what is stored

  Returns D for done; C if the job was cancelled meanwhile and has ended; A for already, as
  an earlier answer was lost; S for stale, as another claim holds the job. Nothing is
  written for A and S.
]]
local holder = redis.call('HGET', KEYS[1], ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', KEYS[2])
if ARGV[5] ~= '' then
  redis.call('HLEN', KEYS[10])
end

redis.call('HDEL', KEYS[1], ARGV[2])
redis.pcall('HINCRBY', KEYS[4], 'seq', 1)
local cancelled = redis.pcall('SREM', KEYS[3], ARGV[2]) == 1
if redis.pcall('HLEN', KEYS[7]) ~= 0 then
  --#include locks
  local job = { ARGV[2] }
  leaveLocks({
    locks = KEYS[6], lockof = KEYS[7], again = KEYS[8], mutexes = KEYS[9], parked = KEYS[2],
    payloads = KEYS[10], ready = KEYS[11], wake = KEYS[12], meta = KEYS[4],
  }, cancelled and job or {}, cancelled and {} or job, false)
end
if cancelled then
  return 'C'
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[10], ARGV[2], ARGV[5])
end
redis.pcall('HINCRBY', KEYS[5], 'parked', 1)
return 'D'
