-- keys: locks lockof
-- Restores locks when their jobs have stopped running without having ended. The key locks has by
-- digest the id, of 24 characters, the expiry and the kind; lockof has by id the kind, the TTL, '
-- ', the digest and perhaps ' ' and positions. Times are in milliseconds, and in hex, because each
-- byte counts a million times. The kind is u for UNTIL_EXECUTING, e for UNTIL_EXECUTED, a for the
-- same with one more run, w for WITHIN, n for no lock, and m for WHILE_EXECUTING, which has an
-- entry in mutexes instead of one in locks.

local function readLock(entry)
  return string.match(entry or '', '^(%a)(%x+) (%S+) ?(%S*)$')
end

local function currentMillis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

--#include leave-mutex
-- Jobs that are ready again keep out duplicates again, unless there is one by now: then both stay.
-- Jobs that wait for their due time keep them out until then, and for their TTL after that.
local function keepLocks(ids, areReady, due)
  if not hasLocks or #ids == 0 then
    return
  end
  local now, more = areReady and currentMillis(), 0
  for i, entry in ipairs(redis.call('HMGET', lockof, unpack(ids))) do
    local kind, ttl, digest = readLock(entry)
    local lock = kind and kind ~= 'm' and hint('HGET', locks, digest) or ''
    local expiry, known = string.match(lock, '^(%x+)(%a)$', 25)
    expiry = tonumber(expiry or 0, 16)
    local from
    if kind == 'm' then
      more = more + leaveMutex(ids[i], digest)
    elseif kind == 'u' then
      from = areReady and (lock == '' or known == 'u' and expiry <= now) and now
    elseif kind == 'e' or kind == 'a' then
      from = due and string.sub(lock, 1, 24) == ids[i] and expiry < due + tonumber(ttl, 16) and due
    end
    if from then
      hint('HSET', locks, digest, string.format('%s%x%s', ids[i], from + tonumber(ttl, 16), kind))
    end
  end
  wakeWorkers(more)
end
