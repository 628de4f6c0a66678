--[[
  Takes a lock from the job that has it. A job that waits for a mutex goes on then.

  KEYS[1]   locks
  KEYS[2]   windows
  KEYS[3]   mutexes
  KEYS[4]   parked
  KEYS[5]   payloads
  KEYS[6]   ready
  KEYS[7]   wake
  KEYS[8]   meta

  ARGV[1]  digest
  ARGV[2]  id of the job that has the lock

  Returns RELEASED; CHANGED if another job has the lock; NOT_LOCKED if none has it. Nothing
  is written then.

  The job keeps its entry in lockof: its end finds that it is not the owner any more, and
  makes a duplicate a job that was to run once more.
]]
local digest, holder = ARGV[1], ARGV[2]
local lock = redis.call('HGET', KEYS[1], digest)
local owner = lock and string.sub(lock, 1, 24)
local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
local runs = redis.call('ZRANGE', KEYS[3], from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
local hasMutex = redis.call('ZSCORE', KEYS[3], digest .. '=' .. holder)
if owner ~= holder and not hasMutex then
  return (owner or runs) and 'CHANGED' or 'NOT_LOCKED'
end
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('ZCARD', KEYS[2])
redis.call('HLEN', KEYS[4])
redis.call('HLEN', KEYS[5])
redis.call('LLEN', KEYS[6])

if owner == holder then
  redis.call('HDEL', KEYS[1], digest)
  redis.call('ZREM', KEYS[2], digest)
end
if hasMutex then
  --#include locks
  local at = {
    mutexes = KEYS[3], parked = KEYS[4], payloads = KEYS[5], ready = KEYS[6], wake = KEYS[7], meta = KEYS[8],
  }
  wakeWorkers(at, leaveMutex(at, holder, digest))
end
return 'RELEASED'
