-- keys: ticks ticked
--[[
  Reads the state of recurring jobs.

  ARGV     1 to 1,000 names

  Returns (next, state, run)* in the order of the names: the next tick, or ''; the state that
  schedule.lua and tick.lua store, or ''; and the result of the latest run, or ''.
]]
local fields, answer = {}, {}
for i, name in ipairs(ARGV) do
  fields[i], fields[#ARGV + i] = name, '=' .. name
end
local states, following = redis.call('HMGET', ticked, unpack(fields)), redis.call('ZMSCORE', ticks, unpack(ARGV))
for i = 1, #ARGV do
  answer[3 * i - 2], answer[3 * i - 1], answer[3 * i] = following[i] or '', states[i] or '', states[#ARGV + i] or ''
end
return answer
