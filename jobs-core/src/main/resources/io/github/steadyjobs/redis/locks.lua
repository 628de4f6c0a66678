-- What becomes of locks when jobs end or go back. Included by scripts whose jobs do, which
-- give the keys as a table `at`: locks, lockof, again, mutexes, parked, payloads, ready,
-- wake, meta, and windows where they end jobs that have not begun.
--
-- locks has by digest the id, of 24 characters, the expiry and the kind; lockof by id the
-- kind, the TTL, ' ', the digest and maybe ' ' and positions; again by digest 'id TTL payload'.
-- Times are in milliseconds, and in hex, as each byte counts a million times. The kind is u
-- for UNTIL_EXECUTING, e for UNTIL_EXECUTED, a for that if it runs once more, w for WITHIN, n
-- for no lock, and m for WHILE_EXECUTING, which has no entry in locks: the sorted set mutexes
-- has 'digest=id' for the job that runs, or is the next to run, and 'digest:id' for each one
-- that waits.
--
-- Where a key has a wrong type, locks are left as they are, and the jobs go their way.

local function readLock(entry)
  return string.match(entry or '', '^(%a)(%x+) (%S+) ?(%S*)$')
end

local function currentMillis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function canAddJobs(at)
  return type(redis.pcall('LLEN', at.ready)) == 'number' and type(redis.pcall('HLEN', at.payloads)) == 'number'
end

--#include wake
local function wakeWorkers(at, count)
  if count > 0 and not redis.pcall('HMGET', at.meta, 'paused')[1] then
    leaveTokens(at.wake, count)
  end
end

-- Lets the job that waits longest go on if this one kept it waiting, and returns how many do.
local function leaveMutex(at, id, digest)
  if redis.pcall('ZREM', at.mutexes, digest .. '=' .. id) ~= 1 or not canAddJobs(at) then
    return 0
  end
  local from, to = '[' .. digest .. ':', '(' .. digest .. ';'
  for _, waiting in ipairs(redis.call('ZRANGE', at.mutexes, from, to, 'BYLEX', 'LIMIT', 0, 100)) do
    local next = string.sub(waiting, #digest + 2)
    redis.call('ZREM', at.mutexes, waiting)
    if redis.pcall('HGET', at.parked, next) == 'mutex:' .. digest then
      redis.call('HDEL', at.parked, next)
      redis.call('RPUSH', at.ready, next)
      -- It has the mutex from now on: if it ends before it runs, the others go on.
      redis.call('ZADD', at.mutexes, 0, digest .. '=' .. next)
      return 1
    end
  end
  return 0
end

-- Makes the newest dropped duplicate a job, which gets the lock and the positions of all.
local function runOnceMore(at, digest, again, positions)
  local id, ttl, payload = string.match(again, '^(%x+) (%x+) (.*)$')
  local expiry = currentMillis() + tonumber(ttl, 16)
  redis.call('HSET', at.payloads, id, payload)
  redis.call('LPUSH', at.ready, id)
  redis.pcall('HSET', at.locks, digest, string.format('%s%xa', id, expiry))
  redis.pcall('HSET', at.lockof, id, 'a' .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or ''))
  redis.pcall('HDEL', at.again, digest)
end

-- Jobs have ended for good. Windows go on, save those of jobs that have not begun.
local function endLocks(at, ids, unbegun)
  local entries = redis.pcall('HMGET', at.lockof, unpack(ids))
  local hasAgain = redis.pcall('HLEN', at.again) ~= 0
  local more = 0
  for i, id in ipairs(ids) do
    local kind, _, digest, positions = readLock(entries[i])
    if kind == 'm' then
      redis.pcall('ZREM', at.mutexes, digest .. ':' .. id)
      more = more + leaveMutex(at, id, digest)
    elseif kind and kind ~= 'n' then
      local lock = redis.pcall('HGET', at.locks, digest)
      local owner = type(lock) == 'string' and string.sub(lock, 1, 24)
      -- Whatever the kind: the job that it was to run after may have lost the lock to this one.
      local again = hasAgain and (not owner or owner == id) and redis.pcall('HGET', at.again, digest)
      if type(again) == 'string' and canAddJobs(at) then
        runOnceMore(at, digest, again, positions)
        more = more + 1
      elseif owner == id and (kind ~= 'w' or unbegun) then
        redis.pcall('HDEL', at.locks, digest)
        if kind == 'w' then
          redis.pcall('ZREM', at.windows, digest)
        end
      end
    end
  end
  redis.pcall('HDEL', at.lockof, unpack(ids))
  wakeWorkers(at, more)
end

-- A job keeps equal ones out until it is due and its TTL longer, if it does now.
local function prolongLock(at, id, digest, expiry)
  local lock = redis.pcall('HGET', at.locks, digest)
  local before, kind = string.match(type(lock) == 'string' and lock or '', '^(%x+)(%a)$', 25)
  if before and string.sub(lock, 1, 24) == id and tonumber(before, 16) < expiry then
    redis.pcall('HSET', at.locks, digest, string.format('%s%x%s', id, expiry, kind))
  end
end

-- Jobs have stopped to run and not ended. Those that are ready again keep duplicates out
-- again, unless one is there by now: then both stay. Those that wait until they are due go
-- on to keep them out.
local function keepLocks(at, ids, areReady, due)
  local entries = redis.pcall('HMGET', at.lockof, unpack(ids))
  local now = areReady and currentMillis()
  local more = 0
  for i, id in ipairs(ids) do
    local kind, ttl, digest = readLock(entries[i])
    if kind == 'm' then
      more = more + leaveMutex(at, id, digest)
    elseif kind == 'u' and areReady then
      local lock = redis.pcall('HGET', at.locks, digest)
      local expiry = type(lock) == 'string' and string.match(lock, '^(%x+)u$', 25)
      if not lock or (expiry and tonumber(expiry, 16) <= now) then
        redis.pcall('HSET', at.locks, digest, string.format('%s%xu', id, now + tonumber(ttl, 16)))
      end
    elseif (kind == 'e' or kind == 'a') and due then
      prolongLock(at, id, digest, due + tonumber(ttl, 16))
    end
  end
  wakeWorkers(at, more)
end

-- Jobs have stopped to run: some have ended, the others have not and are ready, or not, or
-- wait until they are due.
local function leaveLocks(at, ended, kept, areReady, due)
  if #ended > 0 then
    endLocks(at, ended)
  end
  if #kept > 0 then
    keepLocks(at, kept, areReady, due)
  end
end
