-- keys: payloads scheduled retries parked lockof meta
--[[
  Changes the payload, the lock or the due time of a job that is not running.

  ARGV[1]  id
  ARGV[2]  SHA-1 of the stored payload, in hex
  ARGV[3]  payload to store
  ARGV[4]  digest that replaces the digest of the current lock; '' for no change
  ARGV[5]  if the due time changes, the place where the job waits: 'ready', 'suspects', 'scheduled',
           'retries', 'dead' or 'parked'; '' otherwise. A job that waits for a retry stays in 'retries';
           all other jobs become scheduled
  ARGV[6]  the new due time in milliseconds, by the clock of Redis

  Returns D if done. Otherwise nothing is written: returns A if there is no such job, if the job waits
  elsewhere, or if it is being moved to another queue; R if it is running; C if its payload differs from
  ARGV[2]; 'L' and the id of another job if that job has the lock with the digest in ARGV[4].
]]
local id, digest, place, due = ARGV[1], ARGV[4], ARGV[5], tonumber(ARGV[6])
--#include take-out
--#include waiting-locks
local stored, at, detail = redis.call('HGET', payloads, id), locate(id)
if at == 'working' then
  return 'R'
elseif not stored or at == 'parked' and not isOwn(id, detail) then
  return 'A'
elseif redis.sha1hex(stored) ~= ARGV[2] then
  return 'C'
end
local kind, ttl, _, positions = readLock(redis.call('HGET', lockof, id))
local locksNow = keepsOut(kind, at)
if digest ~= '' and locksNow then
  local holder = holderOf(digest)
  if holder and holder ~= id then
    return 'L ' .. holder
  end
end
local isThere = place == at and (at == 'scheduled' or at == 'retries')
if place ~= '' and not isThere and not takeOut(id, place) then
  return 'A'
end
-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', payloads, '')
redis.call('HSET', payloads, id, ARGV[3])
hint('HINCRBY', meta, 'seq', 1)
if place ~= '' then
  local key = place == 'retries' and retries or scheduled
  redis.call('ZADD', key, string.format('%.0f', due), id)
  wakeWorkers(1)
end
if kind and digest ~= '' then
  endWindows({ id })
  endLocks({ id })
  redis.call('HSET', lockof, id, kind .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or ''))
  if locksNow then
    takeLock(id, kind, ttl, digest, sorted[at] and detail)
  end
end
-- If the arguments did not fit, they may fit now. Workers would not look at such a job again, because
-- they search only for jobs that did not fit another version of the method.
local isUnbound = at == 'parked' and string.find(detail, 'unbound:', 1, true) == 1
if place == '' and (isUnbound or at == 'parked' and kind and digest ~= '' and awaited(detail)) then
  redis.call('HDEL', parked, id)
  makeReady({ id }, true)
  if isUnbound then
    keepLocks({ id }, true)
  end
  wakeWorkers(1)
end
if place ~= '' and kind then
  keepLocks({ id }, false, due)
end
return 'D'
