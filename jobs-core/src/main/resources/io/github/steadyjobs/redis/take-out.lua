-- keys: ready suspects dead parked since mutexes
-- Takes jobs out of the place where they wait.
--#include parking
--#include lock
--#include fate
redis.call('LLEN', suspects)
redis.call('ZCARD', dead)

-- Returns whether the job was there. That is a removal, which makes a full Redis accept what
-- follows. A list has to be searched, which takes some milliseconds for a million jobs.
local function takeOut(id, place)
  if place == 'parked' then
    local reason = redis.call('HGET', parked, id) or ''
    -- Another queue may have a job that is on its way.
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
