-- keys: pauses
--[[
  Tells what is paused, after pausing something or ending its pause, if nobody has changed
  anything in between.

  ARGV[1]  what to change: 'queue:<name>' or 'job:<name>'; '' only to tell
  ARGV[2]  version of all pauses as it was read before
  ARGV[3]  a random text, by which another copy of this call is known
  ARGV[4]  end of the pause: '' for none, milliseconds since the epoch, or '+' and milliseconds
           from now; 'RESUME' to end it
  ARGV[5]  'p' if one job is to be tried when the pause ends, '-' otherwise
  ARGV[6]  who, a newline, and why

  Returns {status, now, (field, value)*}: DONE, or CHANGED if the version is another one by
  now and nothing was written; Redis time; and all fields. 'version' is the version and the
  text of the call that made it. The others are what is paused: version, since when, until
  when or 0, 'p' or '-', who, a newline, and why.

  A version is greater than any before it, even one that was lost. The first write is a
  removal, which Redis accepts when its memory is full.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HGET', pauses, 'version') or '0 '
local version = string.match(stored, '^%d+') or '0'

local function forgetEnded()
  for _, field in ipairs(redis.call('HKEYS', pauses)) do
    local ends, mark = string.match(redis.call('HGET', pauses, field), '^%d+ %d+ (%d+) ([p-]) ')
    if mark == '-' and ends ~= '0' and tonumber(ends) <= now then
      redis.call('HDEL', pauses, field)
    end
  end
end

local status = 'DONE'
if ARGV[1] ~= '' and stored ~= version .. ' ' .. ARGV[3] then
  if version ~= ARGV[2] then
    status = 'CHANGED'
  elseif redis.call('HLEN', pauses) > 1000 then
    return redis.error_reply('ERR switch keeps at most 1000 pauses; nothing was changed')
  else
    local micros = time[1] .. string.format('%06d', time[2])
    version = string.format('%.0f', math.max(tonumber(version) + 1, tonumber(micros)))
    redis.call('HDEL', pauses, ARGV[1])
    redis.call('HSET', pauses, 'version', version .. ' ' .. ARGV[3])
    forgetEnded()
    if ARGV[4] ~= 'RESUME' then
      local ends = tonumber(string.match(ARGV[4], '%d+') or 0)
      if string.sub(ARGV[4], 1, 1) == '+' then
        ends = now + ends
      end
      redis.call('HSET', pauses, ARGV[1], string.format('%s %.0f %.0f %s ', version, now, ends, ARGV[5]) .. ARGV[6])
    end
  end
end
local answer = redis.call('HGETALL', pauses)
table.insert(answer, 1, status)
table.insert(answer, 2, now)
return answer
