-- keys: working payloads retries cancelled meta stats lockof parked crashes
--[[
  Moves a job that failed to the retry set, or one that was put off before it began, or one
  that asked to run later.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  payload to store, with the failure counted; '' to keep the stored one of a job
           that is put off
  ARGV[5]  delay in milliseconds
  ARGV[6]  'snoozed' for a job that asked to run later; '' or missing otherwise
  ARGV[7]  the other queue in which the job is to be retried; missing if that is this one

  Returns D for done; C if the job was cancelled while it ran and has ended; A for already,
  because an earlier answer was lost; S for stale, because another claim holds the job.
  Nothing is written for A and S. For a job that is on its way to another queue it returns
  {D, begun, place, time, lock}, as move-out.lua does.

  A lock that ends with the job lasts at least until the job is due, and for its TTL after that.

  Another queue is in another slot of a cluster. A job that is to be retried there is parked, as
  move-out.lua leaves one that was in the retry set.
  One that ran while a process died is retried here: what is known of that is known here only.
]]
local holder = redis.call('HGET', working, ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[5])

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', payloads)
redis.call('ZCARD', retries)
local leaves = ARGV[7] and redis.pcall('HEXISTS', crashes, ARGV[2]) ~= 1
if leaves then
  redis.call('HLEN', parked)
end

redis.call('HDEL', working, ARGV[2])
local seq = redis.pcall('HINCRBY', meta, 'seq', 1)
if ARGV[6] == 'snoozed' then
  redis.pcall('HINCRBY', stats, 'snoozed', 1)
elseif ARGV[4] ~= '' then
  redis.pcall('HINCRBY', stats, 'failed', 1)
else
  redis.pcall('HINCRBY', stats, 'putoff', 1)
end
local wasCancelled = redis.pcall('SREM', cancelled, ARGV[2]) == 1
--#include end-locks
if redis.pcall('HLEN', lockof) ~= 0 then
  if wasCancelled then
    endLocks({ ARGV[2] })
  else
    keepLocks({ ARGV[2] }, false, due)
  end
end
--#include gathered
if wasCancelled then
  promote({ ARGV[2] })
  return 'C'
end
if ARGV[4] ~= '' then
  redis.call('HSET', payloads, ARGV[2], ARGV[4])
end
if leaves then
  local begun = time[1] .. string.format('%06d', time[2])
  local at = string.format('%.0f', due)
  redis.call('HSET', parked, ARGV[2], string.format('moving:%s retries %s %s', ARGV[7], at, begun))
  --#include note-reason
  noteReason(seq, 'moving:')
  local lock = redis.pcall('HGET', lockof, ARGV[2])
  return { 'D', begun, 'retries', at, type(lock) == 'string' and lock or '' }
end
rejoin({ ARGV[2] })
redis.call('ZADD', retries, string.format('%.0f', due), ARGV[2])
if redis.call('ZRANGE', retries, 0, 0)[1] == ARGV[2] then
  -- A worker that sleeps until the former earliest job is due has to look again.
  wakeWorkers(1)
end
return 'D'
