-- keys:
-- Returns the number of milliseconds until the first job of a sorted set is due, or math.huge if the set
-- is empty.
--#include now
local function untilDue(key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and math.max(0, first[2] - now) or math.huge
end
