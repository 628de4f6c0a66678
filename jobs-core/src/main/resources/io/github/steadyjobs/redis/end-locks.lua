-- keys: lockof locks again mutexes payloads ready
-- What happens to locks when their jobs have ended for good. again holds, by digest, the newest
-- dropped duplicate, which is to run once more: 'id TTL payload'.

--#include keep-locks
-- Makes the duplicate a job, which gets the lock and the positions of all.
local function runOnceMore(digest, duplicate, positions)
  local id, ttl, payload = string.match(duplicate, '^(%x+) (%x+) (.*)$')
  local expiry = currentMillis() + tonumber(ttl, 16)
  redis.call('HSET', payloads, id, payload)
  redis.call('LPUSH', ready, id)
  redis.pcall('HSET', locks, digest, string.format('%s%xa', id, expiry))
  redis.pcall('HSET', lockof, id, 'a' .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or ''))
  redis.pcall('HDEL', again, digest)
end

local function ownerOf(digest)
  local lock = redis.pcall('HGET', locks, digest)
  return type(lock) == 'string' and string.sub(lock, 1, 24)
end

-- Ends the locks of jobs that have ended, except windows, which last until their time is up.
local function endLocks(ids)
  if #ids == 0 then
    return
  end
  local entries = redis.pcall('HMGET', lockof, unpack(ids))
  local hasAgain = redis.pcall('HLEN', again) ~= 0
  local more = 0
  for i, id in ipairs(ids) do
    local kind, _, digest, positions = readLock(entries[i])
    if kind == 'm' then
      redis.pcall('ZREM', mutexes, digest .. ':' .. id)
      more = more + leaveMutex(id, digest)
    elseif kind and kind ~= 'n' then
      local owner = ownerOf(digest)
      -- Whatever the kind: the job that it was to run after may have lost the lock to this one.
      local duplicate = hasAgain and (not owner or owner == id) and redis.pcall('HGET', again, digest)
      if type(duplicate) == 'string' and canAddJobs() then
        runOnceMore(digest, duplicate, positions)
        more = more + 1
      elseif owner == id and kind ~= 'w' then
        redis.pcall('HDEL', locks, digest)
      end
    end
  end
  redis.pcall('HDEL', lockof, unpack(ids))
  wakeWorkers(more)
end
