-- keys: locks lockof windows
-- Ends windows when jobs that are not known to have run are taken back.
--#include end-locks
local function endWindows(ids)
  for i, entry in ipairs(hasLocks and #ids > 0 and redis.call('HMGET', lockof, unpack(ids)) or {}) do
    local kind, _, digest = readLock(entry)
    if kind == 'w' and ownerOf(digest) == ids[i] then
      hint('HDEL', locks, digest)
      hint('ZREM', windows, digest)
    end
  end
end
