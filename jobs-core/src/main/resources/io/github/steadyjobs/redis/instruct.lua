-- keys: report
--[[
  Sends an instruction, which the process reads with its next report. Repeated copies are harmless.

  ARGV[1]  the instruction: quiet, stop or dump

  Returns the instruction's number, greater than all earlier numbers; 0 if there is no such process.
]]
local found = redis.call('HMGET', report, 'started_at', 'obeyed', 'quiet', 'stop', 'dump')
if not found[1] then
  return 0
end
local number = 0
for i = 2, 5 do
  number = math.max(number, tonumber(found[i] or 0) or 0)
end
-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', report, '')
redis.call('HSET', report, ARGV[1], string.format('%d', number + 1))
return number + 1
