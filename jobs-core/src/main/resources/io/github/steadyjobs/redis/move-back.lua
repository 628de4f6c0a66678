-- keys: parked payloads scheduled retries dead cancelled
-- Puts back jobs whose move to another queue was not completed.

--#include moving
-- Puts a job back where it was, and returns that place. A job that was ready is left to the caller.
-- A job that was cancelled meanwhile ends, and nothing is returned.
local function moveBack(id, place, at)
  redis.call('HDEL', parked, id)
  if redis.call('HEXISTS', payloads, id) == 0 then
    redis.call('SREM', cancelled, id)
    return nil
  end
  local key = ({ scheduled = scheduled, retries = retries, dead = dead })[place]
  if key then
    redis.call('ZADD', key, at, id)
  end
  return place
end
