-- keys: ticks ticked
--[[
  Reads the state of recurring jobs.

  ARGV[1]  the latest next tick to look for, in milliseconds; '' for those that are named
  ARGV[2…] up to 1,000 names

  Returns {time, (name, next, state, run)*}: Redis time; the next tick, or '' if there is none;
  what schedule.lua keeps, or ''; and how the latest run has ended, or ''. Without names up to
  1,000, by their next ticks.
]]
local time = redis.call('TIME')
local answer = { time[1] * 1000 + math.floor(time[2] / 1000) }
local names = ARGV[1] ~= '' and redis.call('ZRANGE', ticks, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, 1000)
  or { unpack(ARGV, 2) }
if #names > 0 then
  local fields = {}
  for i, name in ipairs(names) do
    fields[i] = name
    fields[#names + i] = '=' .. name
  end
  local states, following = redis.call('HMGET', ticked, unpack(fields)), redis.call('ZMSCORE', ticks, unpack(names))
  for i, name in ipairs(names) do
    answer[4 * i - 2], answer[4 * i - 1] = name, following[i] or ''
    answer[4 * i], answer[4 * i + 1] = states[i] or '', states[#names + i] or ''
  end
end
return answer
