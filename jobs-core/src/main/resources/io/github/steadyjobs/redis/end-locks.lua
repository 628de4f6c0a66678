-- keys: lockof locks again mutexes payloads ready
-- Ends or passes on locks when their jobs have ended for good. The key again holds, by digest, the
-- newest dropped duplicate, which is to run once more: 'id TTL payload'.
--#include keep-locks
-- Makes the duplicate a job, which gets the lock and the positions of all.
local function runOnceMore(digest, duplicate, positions)
  local id, ttl, payload = string.match(duplicate, '^(%x+) (%x+) (.*)$')
  local expiry = currentMillis() + tonumber(ttl, 16)
  redis.call('HSET', payloads, id, payload)
  redis.call('LPUSH', ready, id)
  redis.call('HSET', lockof, id, 'a' .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or ''))
  hint('HSET', locks, digest, string.format('%s%xa', id, expiry))
  hint('HDEL', again, digest)
end

local function ownerOf(digest)
  return string.sub(hint('HGET', locks, digest) or '', 1, 24)
end

-- Ends the locks of jobs that have ended, except windows, which last until their time is up.
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
      -- For any kind: the job that it was to run after may have lost the lock to this one.
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
