-- keys: locks windows mutexes
--[[
  Takes a lock away from the job that has it. If the lock is a mutex, the next waiting job continues. The
  holder keeps its entry in lockof: at its end, a duplicate that is to run once more becomes a job.

  ARGV[1]  digest
  ARGV[2]  id of the job that has the lock

  Returns RELEASED if done. Returns CHANGED if another job has the lock, or NOT_LOCKED if no job has it;
  in both cases nothing is written.
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
