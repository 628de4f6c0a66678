-- keys: working payloads crashes
--[[
  Drops the first payloads of a running ordered job, because they are done: whatever happens to the run,
  they do not run again.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  number of bytes of the payloads that remain, with their scores and newlines
  ARGV[5]  the job without the failures of the payload that is done; '' to keep the stored one

  Returns D for done; C if the job was cancelled while it ran; A if nothing runs under this id; S for
  stale, because another claim holds the job, so the run must not continue.
]]
local holder = redis.call('HGET', working, ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
local stored = redis.call('HGET', payloads, ARGV[2])
if not stored then
  return 'C'
end
local head, left = string.find(stored, '\n', 1, true) or 0, tonumber(ARGV[4])
-- A copy of the call finds nothing to drop.
if #stored - head > left then
  -- The crashes belonged to a payload that is done. Also a removal, perhaps of nothing, which makes
  -- a full Redis accept what follows.
  --#include hint
  hint('HDEL', crashes, ARGV[2])
  redis.call('HDEL', working, '')
  local envelope = ARGV[5] ~= '' and ARGV[5] .. '\n' or string.sub(stored, 1, head)
  redis.call('HSET', payloads, ARGV[2], envelope .. string.sub(stored, #stored - left + 1))
end
return 'D'
