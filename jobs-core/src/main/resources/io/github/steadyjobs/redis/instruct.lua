-- keys: report
--[[
  Sends an instruction to a process, which reads it with its next report. A second copy asks a second
  time, which is harmless.

  ARGV[1]  what to do: quiet, stop or dump

  Returns the number of the instruction, greater than all earlier ones. Returns 0 if there is no such
  process; then nothing is written.
]]
local found = redis.call('HMGET', report, 'started_at', 'obeyed', 'quiet', 'stop', 'dump')
if not found[1] then
  return 0
end
local number = 0
for i = 2, 5 do
  number = math.max(number, tonumber(found[i] or 0) or 0)
end
-- A removal first, which Redis accepts when its memory is full, and then what follows.
redis.call('HDEL', report, '')
redis.call('HSET', report, ARGV[1], string.format('%d', number + 1))
return number + 1
