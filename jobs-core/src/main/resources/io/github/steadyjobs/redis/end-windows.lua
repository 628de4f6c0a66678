-- keys: locks lockof windows
-- What happens to windows when jobs are taken back that are not known to have run.
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
