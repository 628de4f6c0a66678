-- keys: history
--[[
  Adds counts of runs to a period.

  ARGV[1]  how long the period is kept from now on, in milliseconds
  ARGV[2…] for each of up to 500 different fields: the field, and what to add to it, a letter and a
           number for each count, as in 'A12C1r1t318'

  Returns the number of fields left out, because a period has at most 1,000.

  Adds each time, so it must not be sent twice. Unknown counts are kept. Redis refuses the first write
  if its memory is full: then nothing changes.
]]
if #ARGV > 1001 then
  return redis.error_reply('ERR tally takes at most 500 fields at once; nothing was changed')
end
local fields = {}
for i = 2, #ARGV, 2 do
  fields[#fields + 1] = ARGV[i]
end
local room = 1000 - redis.call('HLEN', history)
local written = {}
for i, present in ipairs(redis.call('HMGET', history, unpack(fields))) do
  room = present and room or room - 1
  if present or room >= 0 then
    local counts, more = ARGV[2 * i + 1], {}
    for letter, number in string.gmatch(counts, '(%a)(%d+)') do
      more[letter] = number
    end
    local sums = string.gsub(present or '', '(%a)(%d+)', function(letter, number)
      local sum = string.format('%s%.0f', letter, number + (more[letter] or 0))
      more[letter] = nil
      return sum
    end)
    for letter in string.gmatch(counts, '%a') do
      sums = sums .. (more[letter] and letter .. more[letter] or '')
    end
    written[#written + 1], written[#written + 2] = fields[i], sums
  end
end
if #written > 0 then
  redis.call('HSET', history, unpack(written))
end
redis.call('PEXPIRE', history, ARGV[1])
return #fields - #written / 2
