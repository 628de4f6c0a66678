-- keys: marks
--[[
  Writes a mark for a point in time, unless it exists. A mark is a time and a label, separated by a
  space. Also removes up to 100 marks that are too old, or the oldest mark if there are 1,000 marks.

  ARGV[1]  time of the mark, in milliseconds since the epoch
  ARGV[2]  label of the mark
  ARGV[3]  milliseconds for which marks are kept
  ARGV[4]  '1' to write nothing if any other mark has this label

  Returns 1, or 0 if nothing was written.
]]
local label, oldest = ' ' .. ARGV[2], ARGV[1] - ARGV[3]
local kept, surplus = 0, {}
for _, mark in ipairs(redis.call('ZRANGE', marks, 0, 999)) do
  local old = tonumber(string.match(mark, '^%d+') or 0) <= oldest
  if not old and (mark == ARGV[1] .. label or (ARGV[4] == '1' and string.match(mark, ' .*') == label)) then
    return 0
  end
  if old and #surplus < 100 then
    surplus[#surplus + 1] = mark
  else
    kept = kept + 1
  end
end
if kept >= 1000 then
  surplus[1] = redis.call('ZRANGE', marks, 0, 0)[1]
end
if #surplus > 0 then
  redis.call('ZREM', marks, unpack(surplus))
end
redis.call('ZADD', marks, ARGV[1], ARGV[1] .. label)
redis.call('PEXPIRE', marks, ARGV[3])
return 1
