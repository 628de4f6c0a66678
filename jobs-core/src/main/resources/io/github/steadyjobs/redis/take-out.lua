-- keys: ready suspects dead parked since mutexes
-- Takes jobs out of the places where they wait.
--#include parking
--#include lock
--#include fate
redis.call('LLEN', suspects)
redis.call('ZCARD', dead)

-- Takes a job out of a place, and returns whether it was there. A list of a million jobs takes a few
-- milliseconds. The removal comes first, so Redis accepts later writes even if its memory is full.
local function takeOut(id, place)
  if place == 'parked' then
    local reason = redis.call('HGET', parked, id) or ''
    -- A job that is being moved to another queue may already be in that queue.
    if not isOwn(id, reason) or redis.call('HDEL', parked, id) == 0 then
      return false
    end
    hint('ZREM', mutexes, (awaited(reason) or '') .. ':' .. id)
    return true
  elseif sorted[place] then
    local key = sorted[place]
    return redis.call('ZREM', key, id) == 1
  end
  local key = place == 'ready' and ready or suspects
  if redis.call('LREM', key, -1, id) == 0 then
    return false
  end
  hint('HDEL', since, id)
  return true
end
