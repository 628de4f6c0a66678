-- keys: payloads ready calls
--[[
  Stores jobs and makes them ready or scheduled, unless they are duplicates.

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than the number of the previous call of the slot
  ARGV[3]  number of jobs, 1 to 1,000
  ARGV[4…] for each job: id and payload
  then     for each job: nothing if no job has a lock, a delay or an expiry; only its lock if no job has a
           delay or an expiry; its delay in milliseconds and its lock if no job has an expiry; otherwise
           its expiry, its delay and its lock. Each of these is '' if the job has none. If there are
           several jobs, and all have only locks of the same kind and TTL without positions: kind and
           TTL, and then for each job only the digest of its lock

  An expiry consists of the milliseconds from now, ' ', and the offset in the payload of a number that
  is replaced by the time. A lock is the entry to write into lockof.

  Returns a letter per job, or a single S if all have the letter S: S if it was stored; T if it was
  stored with the lock of a job that is gone; X if it was stored because the TTL of the lock has passed,
  although the job that had the lock is still there; D if it was dropped as a duplicate; R if it was
  dropped but runs once more after the running job, because both locks allow that. Then, for each D and
  R, ' ' and the id of the job that has the lock.
  Returns the stored answer if this call was carried out before; STALE if a later call of the slot was
  carried out; OTHER if another call, with another first job, was carried out under this number, as when
  two processes that were restored from one snapshot share a name; UPGRADE, like all scripts that store
  jobs, if a newer version of this library has changed the layout of the queue.

  If the memory of Redis is full, Redis refuses the first write, so nothing is stored.
]]
-- A local is read in a tenth of the time of a global.
local ARGV = ARGV
local count = tonumber(ARGV[3])
if count > 1000 then
  return redis.error_reply('ERR enqueue takes at most 1000 jobs at once; nothing was changed')
end
local head = count > 1 and #ARGV == 4 + 3 * count and ARGV[4 + 2 * count]
local width = head and 3 or (#ARGV - 3) / count
if width < 2 or width > 5 or width % 1 ~= 0 then
  return redis.error_reply('ERR enqueue takes id and payload of as many jobs as ARGV[3] says, and then '
    .. 'of each or of none its lock, or delay and lock, or expiry, delay and lock; nothing was changed')
end
local firstJob = ARGV[4]
--#include begin-call
local answer, newReady, newScheduled, earliest, others = 'S', {}, {}, nil, 0
if width == 2 then
  for i = 1, count do
    newReady[i] = ARGV[2 + 2 * i]
  end
  -- Read before the first write, so that a key of a wrong type does not leave the call half done.
  redis.call('LLEN', ready)
  redis.call('HSET', payloads, unpack(ARGV, 4))
else
  local isStored
  if head then
    --#include admit-free
  end
  if not isStored then
    --#include admit
  end
end
--#include put-new
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
