-- keys: payloads crashes locks lockof windows working
-- Ends waiting jobs, and gives locks to waiting jobs.
--#include end-locks

-- Ends the windows of jobs that are not known to have run.
local function endWindows(ids)
  for i, entry in ipairs(hasLocks and #ids > 0 and redis.call('HMGET', lockof, unpack(ids)) or {}) do
    local kind, _, digest = readLock(entry)
    if kind == 'w' and ownerOf(digest) == ids[i] then
      hint('HDEL', locks, digest)
      hint('ZREM', windows, digest)
    end
  end
end

-- Ends jobs that have been taken out of a place. Also ends their windows, unless the jobs have
-- failed or crashed. Returns how many of the jobs had not been cancelled before.
local function endWaiting(ids, place)
  local crashed, unrun = hint('HMGET', crashes, unpack(ids)) or {}, {}
  for i, id in ipairs(ids) do
    if not crashed[i] and place ~= 'retries' and place ~= 'dead' then
      unrun[#unrun + 1] = id
    end
  end
  local ended = redis.call('HDEL', payloads, unpack(ids))
  hint('HDEL', crashes, unpack(ids))
  endWindows(unrun)
  endLocks(ids)
  return ended
end

-- Returns whether a job that waits in a place keeps out duplicates.
local function keepsOut(kind, place)
  return kind and kind ~= 'm' and kind ~= 'n' and not (kind == 'u' and place == 'retries')
end

-- Returns the job that has a lock, if the lock is still valid.
local function holderOf(digest)
  local owner, expiry, kind = readOwner(redis.call('HGET', locks, digest))
  if owner and expiry > now and (kind == 'w'
      or redis.call('HEXISTS', payloads, owner) == 1 or redis.call('HEXISTS', working, owner) == 1) then
    return owner
  end
end

-- Gives a lock to a job. The TTL of the lock begins now, or when the job is due if that is later.
local function takeLock(id, kind, ttl, digest, due)
  local expiry = math.max(now, tonumber(due) or 0) + tonumber(ttl, 16)
  hint('HSET', locks, digest, string.format('%s%x%s', id, expiry, kind))
  if kind == 'w' then
    hint('ZADD', windows, string.format('%.0f', expiry), digest)
  end
end
