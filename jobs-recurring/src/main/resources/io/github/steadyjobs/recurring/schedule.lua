-- keys: ticks ticked
--[[
  Puts definitions of recurring jobs into force, or takes them out of force. A definition that is
  already in force keeps its next tick.

  ARGV[1]  version of the declarations
  ARGV[2…] for each of up to 300 recurring jobs: its name; the digest of its definition, '-' if it is
           paused, or '' to forget it; and its next tick in milliseconds, or '-' if there is none

  Returns D if done; S if nothing was done because newer declarations are in force, or if a job keeps
  its former definition because the given next tick has already been handled. In the latter case, all
  other jobs are changed.
]]
local answer = 'D'
redis.call('ZCARD', ticks)
if tonumber(redis.call('HGET', ticked, '') or 0) > tonumber(ARGV[1]) then
  return 'S'
end
-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
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
