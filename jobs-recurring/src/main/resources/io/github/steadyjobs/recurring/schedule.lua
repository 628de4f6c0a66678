-- keys: ticks ticked
--[[
  Puts definitions of recurring jobs in force, or takes them out of force.

  ARGV[1]  version of the declarations; '' to ignore which version is in force
  ARGV[2…] for each of up to 300 recurring jobs: its name, the digest of its definition, and its next
           tick in milliseconds; without a next tick it ends. Without a digest it is paused, or
           forgotten if the next tick is 'forget'

  Returns D for done; S if something newer is in force and nothing was done, or if one of the next ticks
  was handled meanwhile and its definition stays as it is.

  A definition that is in force already keeps its next tick.
]]
local known = redis.call('HGET', ticked, '') or '0'
local isOld = ARGV[1] ~= '' and tonumber(known) > tonumber(ARGV[1])
local answer = isOld and 'S' or 'D'
redis.call('ZCARD', ticks)

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('ZREM', ticks, '')
if not isOld and ARGV[1] ~= '' then
  redis.call('HSET', ticked, '', ARGV[1])
end
for i = 2, #ARGV, 3 do
  local name, digest, due = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local before, last = string.match(redis.call('HGET', ticked, name) or '', '^(%S+)(.*)$')
  local seen = tonumber(string.match(last or '', '^ (%d+)') or -1)
  if isOld or (digest ~= '' and before == digest) then
    -- Something newer or the same is in force.
  elseif due == 'forget' then
    redis.call('ZREM', ticks, name)
    redis.call('HDEL', ticked, name, '=' .. name)
  elseif digest == '' then
    redis.call('ZREM', ticks, name)
    redis.call('HSET', ticked, name, '-' .. (last or ''))
  elseif due ~= '' and tonumber(due) <= seen then
    answer = 'S'
  else
    redis.call('HSET', ticked, name, digest .. (last or ''))
    redis.call('ZREM', ticks, name)
    if due ~= '' then
      redis.call('ZADD', ticks, due, name)
    end
  end
end
return answer
