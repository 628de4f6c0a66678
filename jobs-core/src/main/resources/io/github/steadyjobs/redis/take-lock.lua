-- keys: locks payloads working windows
-- Gives locks to jobs outside of enqueueing.
--#include hint

-- Returns the job that has a lock, if the lock still counts.
local function holderOf(digest, now)
  local lock = redis.call('HGET', locks, digest) or ''
  local owner, expiry, kind = string.sub(lock, 1, 24), string.match(lock, '^(%x+)(%a)$', 25)
  if expiry and tonumber(expiry, 16) > now and (kind == 'w'
      or redis.call('HEXISTS', payloads, owner) == 1 or redis.call('HEXISTS', working, owner) == 1) then
    return owner
  end
end

-- Gives a lock to a job for its TTL, from now on or from when it is due.
local function takeLock(id, kind, ttl, digest, now, due)
  local expiry = math.max(now, tonumber(due) or 0) + tonumber(ttl, 16)
  hint('HSET', locks, digest, string.format('%s%x%s', id, expiry, kind))
  if kind == 'w' then
    hint('ZADD', windows, string.format('%.0f', expiry), digest)
  end
end
