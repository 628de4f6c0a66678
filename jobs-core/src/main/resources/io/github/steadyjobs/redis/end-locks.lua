-- keys: locks lockof again mutexes payloads ready parked
-- Ends or keeps locks when their jobs stop running.
--#include lock
--#include make-ready
--#include wake
--#include now

-- If other jobs wait for the mutex of a job that has stopped running, lets the oldest of the waiting
-- jobs continue. Returns how many jobs continue: 0 or 1.
local function leaveMutex(id, digest)
  if hint('ZREM', mutexes, digest .. '=' .. id) ~= 1 then
    return 0
  end
  local from, to = '[' .. digest .. ':', '(' .. digest .. ';'
  for _, waiting in ipairs(redis.call('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 100)) do
    local next = string.sub(waiting, #digest + 2)
    redis.call('ZREM', mutexes, waiting)
    if redis.call('HGET', parked, next) == waitFor(digest) then
      redis.call('HDEL', parked, next)
      makeReady({ next }, true)
      -- This job has the mutex from now on. If it ends before it runs, the next waiting job continues.
      redis.call('ZADD', mutexes, 0, digest .. '=' .. next)
      return 1
    end
  end
  return 0
end

local function ownerOf(digest)
  return string.sub(hint('HGET', locks, digest) or '', 1, 24)
end

-- Restores the locks of jobs that have not ended, but ends their mutexes. A ready job with a lock of
-- kind u keeps out duplicates again, unless a duplicate has the lock by now: then both jobs stay. Locks
-- of kinds e and a keep out duplicates until the job is due, and for their TTL after that.
local function keepLocks(ids, areReady, due)
  if not hasLocks or #ids == 0 then
    return
  end
  local more = 0
  for i, entry in ipairs(redis.call('HMGET', lockof, unpack(ids))) do
    local kind, ttl, digest = readLock(entry)
    local owner, expiry, known = readOwner(kind and kind ~= 'm' and hint('HGET', locks, digest))
    local from
    if kind == 'm' then
      more = more + leaveMutex(ids[i], digest)
    elseif kind == 'u' then
      from = areReady and (not owner or known == 'u' and expiry <= now) and now
    elseif kind == 'e' or kind == 'a' then
      from = due and owner == ids[i] and expiry < due + tonumber(ttl, 16) and due
    end
    if from then
      hint('HSET', locks, digest, string.format('%s%x%s', ids[i], from + tonumber(ttl, 16), kind))
    end
  end
  wakeWorkers(more)
end

-- Turns a duplicate that is to run once more into a job with the given digest and positions.
local function runOnceMore(digest, duplicate, positions)
  local id, ttl, payload = string.match(duplicate, '^(%x+) (%x+) (.*)$')
  redis.call('HSET', payloads, id, payload)
  redis.call('LPUSH', ready, id)
  redis.call('HSET', lockof, id, 'a' .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or ''))
  hint('HSET', locks, digest, string.format('%s%xa', id, now + tonumber(ttl, 16)))
  hint('HDEL', again, digest)
end

-- Ends the locks of jobs that have ended, except windows, which last until they expire.
local function endLocks(ids)
  if not hasLocks or #ids == 0 then
    return
  end
  local entries, more = redis.call('HMGET', lockof, unpack(ids)), 0
  redis.call('HDEL', lockof, unpack(ids))
  for i, id in ipairs(ids) do
    local kind, _, digest, positions = readLock(entries[i])
    if kind == 'm' then
      hint('ZREM', mutexes, digest .. ':' .. id)
      more = more + leaveMutex(id, digest)
    elseif kind and kind ~= 'n' then
      local owner = ownerOf(digest)
      -- This is done for any kind of lock: this job may have taken over the lock of the job for which the
      -- duplicate was dropped.
      local duplicate = not isBare and (owner == '' or owner == id) and hint('HGET', again, digest)
      if duplicate then
        runOnceMore(digest, duplicate, positions)
        more = more + 1
      elseif owner == id and kind ~= 'w' then
        hint('HDEL', locks, digest)
      end
    end
  end
  wakeWorkers(more)
end
