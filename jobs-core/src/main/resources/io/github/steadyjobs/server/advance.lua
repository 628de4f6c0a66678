-- keys: working payloads crashes
--[[
  Drops the completed first payloads of a running ordered job, so that they never run again.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of the claim, joined by '/'
  ARGV[4]  number of bytes of the remaining payloads, including their scores and newlines
  ARGV[5]  the envelope without the failures of the payload that is done; '' to keep the stored envelope

  Returns D if done; C if the job was cancelled while it was running; A if no job is running under this
  id; S (stale) if another claim holds the job, so that this run must not continue.
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
-- A repeated copy of the call finds nothing to drop.
if #stored - head > left then
  -- The crashes belonged to a payload that is done. A removal, even one that removes nothing, lets Redis
  -- accept the writes that follow although its memory is full.
  --#include hint
  hint('HDEL', crashes, ARGV[2])
  redis.call('HDEL', working, '')
  local envelope = ARGV[5] ~= '' and ARGV[5] .. '\n' or string.sub(stored, 1, head)
  redis.call('HSET', payloads, ARGV[2], envelope .. string.sub(stored, #stored - left + 1))
end
return 'D'
