-- keys: calls
-- Carries a call out once if ARGV begins with a producer and its slot, joined by '/', and the number
-- of the call, greater than the number of the slot's previous call; both are '' for a call without
-- a number. Without a number, a late copy of a call that removes jobs would remove payloads that
-- have come since, because ids of keys recur. Returns the stored answer, STALE, OTHER or UPGRADE as
-- enqueue.lua does.
local firstJob = ARGV[1] ~= '' and redis.sha1hex(table.concat(ARGV, ' ', 3))
if ARGV[1] ~= '' then
  --#include begin-call
end

local function answered(answer)
  if ARGV[1] ~= '' then
    -- A removal of nothing, for a full Redis.
    redis.call('HDEL', calls, '')
    local second = redis.call('TIME')[1]
    redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. second .. ' ' .. firstJob .. ' ' .. answer)
  end
  return answer
end
