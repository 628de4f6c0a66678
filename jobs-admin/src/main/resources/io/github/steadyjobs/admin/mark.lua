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
local mark, oldest = ARGV[1] .. ' ' .. ARGV[2], ARGV[1] - ARGV[3]
local kept = redis.call('ZRANGE', marks, '(' .. oldest, '+inf', 'BYSCORE', 'LIMIT', 0, 1000)
for _, other in ipairs(kept) do
  if other == mark or ARGV[4] == '1' and string.match(other, ' (.*)') == ARGV[2] then
    return 0
  end
end
local surplus = redis.call('ZRANGE', marks, '-inf', oldest, 'BYSCORE', 'LIMIT', 0, 100)
surplus[#surplus + 1] = kept[1000] and kept[1]
if #surplus > 0 then
  redis.call('ZREM', marks, unpack(surplus))
end
redis.call('ZADD', marks, ARGV[1], mark)
redis.call('PEXPIRE', marks, ARGV[3])
return 1
