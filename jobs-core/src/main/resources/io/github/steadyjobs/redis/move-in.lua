-- keys: payloads parked cancelled lockof meta working dead
--[[
  Puts a job that is on its way out of another queue into this one. It gets its lock if that is free. If
  another job has it, both stay: the job was accepted before.

  ARGV[1]  id
  ARGV[2]  when its move began, in microseconds
  ARGV[3]  where it is to be: 'ready', 'scheduled', 'retries' or 'dead'
  ARGV[4]  when it is due or has died, '' if it is to be ready
  ARGV[5]  the entry that it had in lockof, or ''
  ARGV[6]  payload

  Returns D for done; A if the job is here already, because an earlier answer was lost. Nothing is
  written otherwise: it returns B if the job is on its way out of this queue; LATE if the move began
  more than five seconds ago, because the other queue takes the job back after ten, and a late copy of
  this call must not bring back a job that has ended here; UPGRADE.
]]
local id, place = ARGV[1], ARGV[3]
--#include parking
if readMove(redis.call('HGET', parked, id)) then
  return 'B'
elseif redis.call('HEXISTS', payloads, id) == 1 or redis.call('HEXISTS', working, id) == 1
  or redis.call('SISMEMBER', cancelled, id) == 1 then
  return 'A'
end
if tonumber(hint('HGET', meta, 'schema') or 0) > 1 then
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
