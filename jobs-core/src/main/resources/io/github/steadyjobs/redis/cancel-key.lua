-- keys: calls
--[[
  Cancels an ordered job that has not ended, by a numbered call: ids of keys come again, and a late
  copy must not remove what has come since the call was answered.

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than that of the slot's call before
  ARGV[3…] what cancel.lua takes

  Returns what cancel.lua does; the stored answer, STALE, OTHER or UPGRADE as enqueue.lua does.
]]
local call = ARGV
local firstJob = redis.sha1hex(call[3])
--#include begin-call
local function carryOut()
  local ARGV = { unpack(call, 3) }
  --#include cancel
end
local answer = carryOut()
-- A removal of nothing, for a full Redis.
redis.call('HDEL', calls, '')
redis.call('HSET', calls, call[1], call[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
