-- keys: mutexes parked
-- Passes on a mutex when its job has stopped running. The sorted set mutexes has 'digest=id' for
-- the job that runs or runs next, and 'digest:id' for each that waits.
--#include wake
--#include make-ready
--#include mutex
-- If this job kept others waiting, lets the one that waited longest continue. Returns how many do.
local function leaveMutex(id, digest)
  if hint('ZREM', mutexes, digest .. '=' .. id) ~= 1 then
    return 0
  end
  local from, to = '[' .. digest .. ':', '(' .. digest .. ';'
  for _, waiting in ipairs(redis.call('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 100)) do
    local next = string.sub(waiting, #digest + 2)
    redis.call('ZREM', mutexes, waiting)
    if redis.call('HGET', parked, next) == waitFor(digest) then
      redis.call('HDEL', parked, next)
      makeReady({ next }, true)
      -- It has the mutex from now on: if it ends before it runs, the others continue.
      redis.call('ZADD', mutexes, 0, digest .. '=' .. next)
      return 1
    end
  end
  return 0
end
