-- keys: recurring
--[[
  Tells what is known of recurring jobs, after changing it if nobody else has meanwhile.

  ARGV[1]  version as it was read before; '' to get all fields
  ARGV[2]  a random text, by which another copy of this call is known; '' only to tell
  ARGV[3…] for each change: field, and its value or '' to remove it

  Returns {status, time, version, (field, value)*}: DONE, or CHANGED if the version is another
  one by now and nothing was written; Redis time in milliseconds; and all fields, unless the
  version is the one that was read before.

  A version is greater than any before it, even one that was lost. The first write is a
  removal, which Redis accepts when its memory is full.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HGET', recurring, 'version') or '0 '
local version = string.match(stored, '^%d+') or '0'
local status = 'DONE'
if ARGV[2] and ARGV[2] ~= '' and stored ~= version .. ' ' .. ARGV[2] then
  if version ~= ARGV[1] then
    status = 'CHANGED'
  elseif #ARGV > 2002 then
    return redis.error_reply('ERR declare makes at most 1000 changes at once; nothing was changed')
  else
    local micros = time[1] .. string.format('%06d', time[2])
    version = string.format('%.0f', math.max(tonumber(version) + 1, tonumber(micros)))
    redis.call('HDEL', recurring, '')
    redis.call('HSET', recurring, 'version', version .. ' ' .. ARGV[2])
    for i = 3, #ARGV, 2 do
      if ARGV[i + 1] == '' then
        redis.call('HDEL', recurring, ARGV[i])
      else
        redis.call('HSET', recurring, ARGV[i], ARGV[i + 1])
      end
    end
  end
end
local answer = version ~= ARGV[1] and redis.call('HGETALL', recurring) or {}
table.insert(answer, 1, status)
table.insert(answer, 2, now)
table.insert(answer, 3, version)
return answer
