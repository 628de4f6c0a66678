-- keys: dead payloads crashes stats
-- Ends the oldest dead jobs, up to 100, if there are more than max, or if they have been dead for longer
-- than age, in milliseconds.
--#include end-locks
local function trimDead(now, max, age)
  local tooOld = redis.call('ZCOUNT', dead, '-inf', string.format('(%.0f', now - age))
  local tooMany = redis.call('ZCARD', dead) - max
  local surplus = math.min(100, math.max(tooOld, tooMany))
  if surplus > 0 then
    local trimmed = redis.call('ZRANGE', dead, 0, surplus - 1)
    redis.call('ZREM', dead, unpack(trimmed))
    redis.call('HDEL', payloads, unpack(trimmed))
    hint('HDEL', crashes, unpack(trimmed))
    hint('HINCRBY', stats, 'trimmed', #trimmed)
    endLocks(trimmed)
  end
end
