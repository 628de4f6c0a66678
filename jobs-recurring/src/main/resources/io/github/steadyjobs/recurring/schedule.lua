-- keys: ticks ticked
--[[
  Puts definitions of recurring jobs in force, or takes them out of force. A definition that is in force
  already keeps its next tick.

  ARGV[1]  version of the declarations
  ARGV[2…] for each of up to 300 recurring jobs: its name; the digest of its definition, '-' if it is
           paused, or '' if it is forgotten; and its next tick in milliseconds, or '-' if there is none

  Returns D for done; S if something newer is in force and nothing was done, or if one of the next ticks
  was handled meanwhile and its definition stays as it is.
]]
local answer = 'D'
redis.call('ZCARD', ticks)
if tonumber(redis.call('HGET', ticked, '') or 0) > tonumber(ARGV[1]) then
  return 'S'
end
-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('ZREM', ticks, '')
redis.call('HSET', ticked, '', ARGV[1])
for i = 2, #ARGV, 3 do
  local name, digest, due = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local before, last = string.match(redis.call('HGET', ticked, name) or '', '^(%S*)(.*)$')
  if digest == '' then
    redis.call('ZREM', ticks, name)
    redis.call('HDEL', ticked, name, '=' .. name)
  elseif due ~= '-' and before ~= digest and tonumber(due) <= tonumber(string.match(last, '^ (%d+)') or -1) then
    answer = 'S'
  elseif before ~= digest then
    redis.call('ZREM', ticks, name)
    redis.call('HSET', ticked, name, digest .. last)
    if due ~= '-' then
      redis.call('ZADD', ticks, due, name)
    end
  end
end
return answer
