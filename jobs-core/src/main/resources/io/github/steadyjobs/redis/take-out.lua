-- keys: ready suspects scheduled retries dead parked since mutexes
-- Takes jobs out of the place where they wait. A list has to be searched, which takes some
-- milliseconds for a million jobs.

--#include moving
--#include mutex
--#include fate
--#include hint
local takenOut = {
  ready = function(id) return redis.call('LREM', ready, -1, id) end,
  suspects = function(id) return redis.call('LREM', suspects, -1, id) end,
  scheduled = function(id) return redis.call('ZREM', scheduled, id) end,
  retries = function(id) return redis.call('ZREM', retries, id) end,
  dead = function(id) return redis.call('ZREM', dead, id) end,
  parked = function(id)
    local reason = redis.call('HGET', parked, id) or ''
    if not isOwn(id, reason) then
      -- Another queue may have it by now.
      return 0
    end
    local digest = awaited(reason)
    if digest then
      hint('ZREM', mutexes, digest .. ':' .. id)
    end
    return redis.call('HDEL', parked, id)
  end,
}

redis.call('LLEN', suspects)
redis.call('ZCARD', dead)

-- Returns whether the job was there. That is a removal, which makes a full Redis accept what
-- follows.
local function takeOut(id, place)
  if takenOut[place](id) == 0 then
    return false
  end
  if place == 'ready' then
    hint('HDEL', since, id)
  end
  return true
end
