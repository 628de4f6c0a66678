-- keys: calls
-- Carries a call out once if it is numbered: then its ARGV begins as that of enqueue.lua, and it may
-- return the stored answer, STALE, OTHER or UPGRADE as that does. A late copy of a call that removes jobs
-- would remove payloads that have come since, because ids of keys recur.
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
