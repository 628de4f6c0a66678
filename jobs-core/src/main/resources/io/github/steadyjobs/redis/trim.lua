-- keys: dead payloads crashes stats lockof
-- Ends dead jobs that are too many or too old, at most 100, the oldest first. Time and age are
-- in milliseconds.
--#include end-locks
local function trimDead(now, max, age)
  local tooOld = redis.call('ZCOUNT', dead, '-inf', string.format('(%.0f', now - age))
  local tooMany = redis.call('ZCARD', dead) - max
  local surplus = math.min(100, math.max(tooOld, tooMany))
  if surplus > 0 then
    local trimmed = redis.call('ZRANGE', dead, 0, surplus - 1)
    redis.call('ZREM', dead, unpack(trimmed))
    redis.call('HDEL', payloads, unpack(trimmed))
    redis.pcall('HDEL', crashes, unpack(trimmed))
    redis.pcall('HINCRBY', stats, 'trimmed', #trimmed)
    if redis.pcall('HLEN', lockof) ~= 0 then
      endLocks(trimmed)
    end
  end
end
