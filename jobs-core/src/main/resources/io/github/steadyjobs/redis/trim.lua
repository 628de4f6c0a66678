-- Ends dead jobs that are too many or too old. Included by scripts that give the keys as a
-- table `at`: those of locks.lua, dead, crashes and stats.
--#include locks

-- Ends at most 100, the oldest first. Time and age are in milliseconds.
local function trimDead(at, now, max, age)
  local tooOld = redis.call('ZCOUNT', at.dead, '-inf', string.format('(%.0f', now - age))
  local tooMany = redis.call('ZCARD', at.dead) - max
  local surplus = math.min(100, math.max(tooOld, tooMany))
  if surplus > 0 then
    local trimmed = redis.call('ZRANGE', at.dead, 0, surplus - 1)
    redis.call('ZREM', at.dead, unpack(trimmed))
    redis.call('HDEL', at.payloads, unpack(trimmed))
    redis.pcall('HDEL', at.crashes, unpack(trimmed))
    redis.pcall('HINCRBY', at.stats, 'trimmed', #trimmed)
    if redis.pcall('HLEN', at.lockof) ~= 0 then
      endLocks(at, trimmed)
    end
  end
end
