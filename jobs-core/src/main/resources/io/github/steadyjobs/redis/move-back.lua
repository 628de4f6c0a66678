-- keys: parked payloads ready scheduled retries dead cancelled
-- What becomes of jobs whose move to another queue came to nothing.

--#include moving
-- To be called before the first write: a key of a wrong type must not leave half a call behind.
local function readPlaces()
  redis.call('LLEN', ready)
  redis.call('HLEN', payloads)
  redis.call('ZCARD', scheduled)
  redis.call('ZCARD', retries)
  redis.call('ZCARD', dead)
  redis.call('SCARD', cancelled)
end

-- Puts a job back to where it was, and returns that place. One that was ready is left to the
-- caller. One that was cancelled meanwhile ends, and nothing is returned.
local function moveBack(id, place, at)
  redis.call('HDEL', parked, id)
  if redis.call('HEXISTS', payloads, id) == 0 then
    redis.call('SREM', cancelled, id)
    return nil
  elseif place == 'scheduled' then
    redis.call('ZADD', scheduled, at, id)
  elseif place == 'retries' then
    redis.call('ZADD', retries, at, id)
  elseif place == 'dead' then
    redis.call('ZADD', dead, at, id)
  end
  return place
end
