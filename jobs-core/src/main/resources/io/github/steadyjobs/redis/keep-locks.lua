-- keys: locks lockof
-- What happens to locks when their jobs have stopped running without having ended.
--
-- locks has by digest the id, of 24 characters, the expiry and the kind; lockof by id the
-- kind, the TTL, ' ', the digest and maybe ' ' and positions. Times are in milliseconds, and
-- in hex, because each byte counts a million times. The kind is u for UNTIL_EXECUTING, e for
-- UNTIL_EXECUTED, a for the same with one more run, w for WITHIN, n for no lock, and m for
-- WHILE_EXECUTING, which has an entry in mutexes instead of one in locks.
--
-- Where a key has a wrong type, locks are left as they are, and the jobs go their way.

local function readLock(entry)
  return string.match(entry or '', '^(%a)(%x+) (%S+) ?(%S*)$')
end

local function currentMillis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Lets a job that keeps equal ones out go on until it is due, and for its TTL after that.
local function prolongLock(id, digest, expiry)
  local lock = redis.pcall('HGET', locks, digest)
  local before, kind = string.match(type(lock) == 'string' and lock or '', '^(%x+)(%a)$', 25)
  if before and string.sub(lock, 1, 24) == id and tonumber(before, 16) < expiry then
    redis.pcall('HSET', locks, digest, string.format('%s%x%s', id, expiry, kind))
  end
end

--#include leave-mutex
-- Jobs that are ready again keep duplicates out again, unless one is there by now: then both
-- stay. Jobs that wait until they are due go on keeping them out.
local function keepLocks(ids, areReady, due)
  if #ids == 0 then
    return
  end
  local entries = redis.pcall('HMGET', lockof, unpack(ids))
  local now = areReady and currentMillis()
  local more = 0
  for i, id in ipairs(ids) do
    local kind, ttl, digest = readLock(entries[i])
    if kind == 'm' then
      more = more + leaveMutex(id, digest)
    elseif kind == 'u' and areReady then
      local lock = redis.pcall('HGET', locks, digest)
      local expiry = type(lock) == 'string' and string.match(lock, '^(%x+)u$', 25)
      if not lock or (expiry and tonumber(expiry, 16) <= now) then
        redis.pcall('HSET', locks, digest, string.format('%s%xu', id, now + tonumber(ttl, 16)))
      end
    elseif (kind == 'e' or kind == 'a') and due then
      prolongLock(id, digest, due + tonumber(ttl, 16))
    end
  end
  wakeWorkers(more)
end
