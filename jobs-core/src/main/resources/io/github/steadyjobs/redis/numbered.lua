-- keys: calls
-- Makes sure that a numbered call is carried out only once. The ARGV of such a call begins like the
-- ARGV of enqueue.lua, and the call may return the stored answer, STALE, OTHER or UPGRADE as
-- enqueue.lua does. Without a number, a late copy of a call that removes jobs might remove payloads
-- that arrived later, because all jobs of a key have the same id.
local firstJob = ARGV[1] ~= '' and redis.sha1hex(table.concat(ARGV, ' ', 3))
if ARGV[1] ~= '' then
  --#include begin-call
end

local function answered(answer)
  if ARGV[1] ~= '' then
    -- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
    redis.call('HDEL', calls, '')
    local second = redis.call('TIME')[1]
    redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. second .. ' ' .. firstJob .. ' ' .. answer)
  end
  return answer
end
