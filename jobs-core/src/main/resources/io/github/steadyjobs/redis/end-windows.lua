-- keys: locks lockof windows
-- What happens to windows when jobs are taken back that are not known to have run.
--#include end-locks
local function endWindows(ids)
  for i, entry in ipairs(#ids > 0 and redis.pcall('HMGET', lockof, unpack(ids)) or {}) do
    local kind, _, digest = readLock(entry)
    if kind == 'w' and ownerOf(digest) == ids[i] then
      redis.pcall('HDEL', locks, digest)
      redis.pcall('ZREM', windows, digest)
    end
  end
end
