-- keys: declared
--[[
  Reads the declarations in a hash, after a change if it was not changed meanwhile.

  ARGV[1]  the field that every change replaces
  ARGV[2]  the value of this field when it was read, '-' if there was none; '' to get all fields
  ARGV[3]  its new value, which identifies another copy of this call; '' only to read
  ARGV[4…] for each other change: field, and its value or '' to remove it

  Returns {status, time, value, (field, value)*}: DONE, or CHANGED if ARGV[1] has another value by now
  and nothing was written; Redis time in milliseconds; the present value of ARGV[1], or '-'; and all
  fields, unless this value is still the one in ARGV[2].
]]
--#include now
local present, status = redis.call('HGET', declared, ARGV[1]) or '-', 'DONE'
if ARGV[3] ~= '' and ARGV[3] ~= present then
  if present ~= ARGV[2] then
    status = 'CHANGED'
  elseif #ARGV > 2003 then
    return redis.error_reply('ERR declare makes at most 1000 changes at once; nothing was changed')
  else
    redis.call('HDEL', declared, '')
    redis.call('HSET', declared, ARGV[1], ARGV[3])
    for i = 4, #ARGV, 2 do
      if ARGV[i + 1] == '' then
        redis.call('HDEL', declared, ARGV[i])
      else
        redis.call('HSET', declared, ARGV[i], ARGV[i + 1])
      end
    end
    present = ARGV[3]
  end
end
local answer = present ~= ARGV[2] and redis.call('HGETALL', declared) or {}
table.insert(answer, 1, status)
table.insert(answer, 2, now)
table.insert(answer, 3, present)
return answer
