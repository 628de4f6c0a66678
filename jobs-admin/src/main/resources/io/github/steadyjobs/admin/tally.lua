-- keys: history
--[[
  Adds counts of runs to a period. Every copy of the call adds the counts, so the call must not be sent
  twice. Counts with unknown letters are kept. Redis refuses the call if its memory is full.

  ARGV[1]  milliseconds for which the period is kept from now on
  ARGV[2…] for each of up to 500 different fields: the field, and the counts to add to it, each a letter
           and a number, as in 'A12C1r1t318'

  Returns the number of fields that were omitted, because a period has at most 1,000 fields.
]]
local fields = {}
for i = 2, #ARGV, 2 do
  fields[#fields + 1] = ARGV[i]
end
local room = 1000 - redis.call('HLEN', history)
local written = {}
for i, present in ipairs(redis.call('HMGET', history, unpack(fields))) do
  room = present and room or room - 1
  if present or room >= 0 then
    local sums, letters = {}, {}
    for letter, number in string.gmatch((present or '') .. ARGV[2 * i + 1], '(%a)(%d+)') do
      if not sums[letter] then
        letters[#letters + 1] = letter
      end
      sums[letter] = (sums[letter] or 0) + number
    end
    for place, letter in ipairs(letters) do
      letters[place] = string.format('%s%.0f', letter, sums[letter])
    end
    written[#written + 1], written[#written + 2] = fields[i], table.concat(letters)
  end
end
if #written > 0 then
  redis.call('HSET', history, unpack(written))
end
redis.call('PEXPIRE', history, ARGV[1])
return #fields - #written / 2
