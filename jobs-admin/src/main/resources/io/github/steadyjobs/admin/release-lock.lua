-- keys: locks windows mutexes
--[[
  Takes a lock from the job that has it. If it is a mutex, the next waiting job continues. The job keeps
  its entry in lockof: when it ends, a duplicate that was to run once more becomes a job.

  ARGV[1]  digest
  ARGV[2]  id of the job that has the lock

  Returns RELEASED; CHANGED if another job has the lock; NOT_LOCKED if no job has it. Nothing is written
  in these two cases.
]]
--#include lock
local digest, holder = ARGV[1], ARGV[2]
local owner = readOwner(redis.call('HGET', locks, digest))
local hasMutex = redis.call('ZSCORE', mutexes, digest .. '=' .. holder)
if owner ~= holder and not hasMutex then
  return (owner or mutexHolder(digest)) and 'CHANGED' or 'NOT_LOCKED'
end
--#include fate
--#include end-locks
if owner == holder then
  redis.call('HDEL', locks, digest)
  hint('ZREM', windows, digest)
end
if hasMutex then
  wakeWorkers(leaveMutex(holder, digest))
end
return 'RELEASED'
