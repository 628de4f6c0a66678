-- keys: payloads parked cancelled lockof meta working dead
--[[
  Stores a job that has left another queue for this queue. The job gets its lock if the lock is free. If
  another job has the lock, both jobs stay, because this job has already been accepted.

  ARGV[1]  id
  ARGV[2]  when the move began, in microseconds
  ARGV[3]  the place into which the job is put: 'ready', 'scheduled', 'retries' or 'dead'
  ARGV[4]  when the job is due or died; '' if it becomes ready
  ARGV[5]  the entry that the job had in lockof, or ''
  ARGV[6]  payload

  Returns D if done. Otherwise nothing is written: returns A if the job is here already, because an
  earlier answer was lost; B if the job is being moved out of this queue; LATE if the move began more
  than five seconds ago, because the other queue takes the job back after ten seconds, and a late copy
  of this call must not bring back a job that has ended here; UPGRADE as enqueue.lua does.
]]
local id, place = ARGV[1], ARGV[3]
--#include parking
if readMove(redis.call('HGET', parked, id)) then
  return 'B'
elseif redis.call('HEXISTS', payloads, id) == 1 or redis.call('HEXISTS', working, id) == 1
  or redis.call('SISMEMBER', cancelled, id) == 1 then
  return 'A'
end
if tonumber(hint('HGET', meta, 'schema') or 0) > 2 then
  return 'UPGRADE'
end
if now - tonumber(ARGV[2]) / 1000 > 5000 then
  return 'LATE'
end
--#include fate
--#include waiting-locks
redis.call('ZCARD', dead)
local kind, ttl, digest = readLock(ARGV[5])
local isFree = place ~= 'dead' and keepsOut(kind, place) and not holderOf(digest)

redis.call('HSET', payloads, id, ARGV[6])
if kind and place ~= 'dead' then
  redis.call('HSET', lockof, id, ARGV[5])
end
if isFree then
  takeLock(id, kind, ttl, digest, ARGV[4])
end
local key = sorted[place]
if key then
  redis.call('ZADD', key, ARGV[4], id)
end
local newReady, newScheduled, others = { not key and id or nil }, {}, key and place ~= 'dead' and 1 or 0
--#include put-new
return 'D'
