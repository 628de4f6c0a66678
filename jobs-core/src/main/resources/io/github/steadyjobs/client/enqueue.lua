-- keys: payloads ready calls
--[[
  Stores jobs and makes them ready or scheduled, unless they are duplicates.

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than the number of the slot's previous call
  ARGV[3]  number of jobs, 1 to 1,000
  ARGV[4…] for each job: id, payload
  after    if any of them has one: for each job, its lock or ''; if any of them has a delay, for
  these    each job, its delay in milliseconds or '', and its lock or ''; if any of them expires,
           for each job, its expiry or '', its delay or '', and its lock or ''

  An expiry is milliseconds from now, ' ' and the offset in the payload of a number that is replaced by
  the time. A lock is what is written into lockof.

  Returns S if all jobs were stored. Otherwise a letter per job: S for stored; T for stored, with the
  lock of a job that is gone; X for stored, because the TTL of a job that is still there has passed; D
  for dropped as a duplicate; R for dropped, but it runs once more after the running job, if both locks
  allow that. Then, for each D and R, ' ' and the id of the job that has the lock.
  Returns the stored answer if this call was carried out before; STALE if a later call of the slot was;
  OTHER if another call, with another first job, was carried out under this number, because two
  processes that were restored from one snapshot share a name; UPGRADE, like all scripts that store, if
  a newer version has changed the layout.

  Redis refuses the first write if its memory is full, so nothing is stored then.
]]
local count = tonumber(ARGV[3])
if count > 1000 then
  return redis.error_reply('ERR enqueue takes at most 1000 jobs at once; nothing was changed')
end
local width = (#ARGV - 3) / count
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
  -- Read before the first write: a key of a wrong type must not leave half a call behind.
  redis.call('LLEN', ready)
  redis.call('HSET', payloads, unpack(ARGV, 4))
else
  --#include admit
end
--#include put-new
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
