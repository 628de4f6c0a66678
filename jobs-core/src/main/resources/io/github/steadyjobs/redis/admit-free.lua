-- keys: payloads ready locks lockof
-- Stores jobs that ask for different locks of one kind and TTL, if no other job has any of these locks.
-- This is the usual case when many jobs with locks are enqueued, and takes less than half the time that
-- admit.lua would. head is the kind and the TTL, and the arguments after it are the digests. Sets isStored,
-- and newReady for put-new.lua. If the jobs are not stored, replaces ARGV with the arguments that
-- admit.lua expects.
--#include set-all
local first, kind = 5 + 2 * count, string.match(head, '^([eua])%x+$')
isStored = kind ~= nil
if isStored then
  for _, owner in ipairs(redis.call('HMGET', locks, unpack(ARGV, first))) do
    if owner then
      isStored = false
      break
    end
  end
end
if isStored then
  -- Read before the first write, so that a key of a wrong type does not leave the call half done.
  redis.call('HLEN', payloads)
  redis.call('LLEN', ready)
  redis.call('HLEN', lockof)
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ending, start = string.format('%x', now + tonumber(string.sub(head, 2), 16)) .. kind, head .. ' '
  local newLocks, newLockof = {}, {}
  for n = 1, count do
    local id, digest = ARGV[2 + 2 * n], ARGV[first - 1 + n]
    newReady[n] = id
    newLocks[2 * n - 1], newLocks[2 * n] = digest, id .. ending
    newLockof[2 * n - 1], newLockof[2 * n] = id, start .. digest
  end
  if setAll(locks, newLocks, 0) == count then
    redis.call('HSET', payloads, unpack(ARGV, 4, 3 + 2 * count))
    setAll(lockof, newLockof, 0)
  else
    -- Some of the jobs are equal.
    redis.call('HDEL', locks, unpack(ARGV, first))
    isStored, newReady = false, {}
  end
end
if not isStored then
  local digests = ARGV
  ARGV = { unpack(digests, 1, 3 + 2 * count) }
  for n = first, #digests do
    ARGV[n - 1] = head .. ' ' .. digests[n]
  end
end
