-- keys: declared
--[[
  Reads the declarations in a hash. First makes a requested change, if the caller's copy is current.

  ARGV[1]  the field that every change replaces
  ARGV[2]  the value of that field when it was read, '-' if it was missing; '' to get all fields
  ARGV[3]  the new value of that field, which identifies repeated copies of this call; '' to read only
  ARGV[4…] for each other change: the field, and its new value or '' to remove it

  Returns {status, time, value, (field, value)*}: DONE, or CHANGED if ARGV[1] has another value by now,
  so that nothing was written; the Redis time in milliseconds; the current value of ARGV[1], or '-'; and
  all fields, unless the current value is still the value in ARGV[2].
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
