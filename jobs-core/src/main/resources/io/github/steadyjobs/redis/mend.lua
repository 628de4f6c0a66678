-- keys: damaged beats
--[[
  Mends one value that no script of ours writes, if it is still there.

  ARGV[1]  what to do: 'drop' a field of a hash, 'restart' a heartbeat, 'unclaim' what was
           claimed by a process that is not in beats, 'rescore' or 'remove' a member of a
           sorted set
  ARGV[2]  field or member
  ARGV[3]  value as it was found, for 'drop' and 'restart'

  Returns 1 if it was mended, 0 if there was nothing to mend.

  A heartbeat starts again at 0: a living process counts on, a dead one is found to stand
  still. A score that is no time becomes the present one.
]]
if ARGV[1] == 'remove' then
  return redis.call('ZREM', damaged, ARGV[2])
end
if ARGV[1] == 'rescore' then
  local score = redis.call('ZSCORE', damaged, ARGV[2])
  local number = tonumber(score)
  if not score or (number and number >= 0 and number < math.huge) then
    return 0
  end
  local time = redis.call('TIME')
  redis.call('ZREM', damaged, ARGV[2])
  redis.call('ZADD', damaged, string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[2])
  return 1
end

local value = redis.call('HGET', damaged, ARGV[2])
if ARGV[1] == 'unclaim' then
  local process = string.match(ARGV[2], '^([^/]+)/')
  if not value or (process and redis.call('HEXISTS', beats, process) == 1) then
    return 0
  end
elseif value ~= ARGV[3] then
  return 0
end
redis.call('HDEL', damaged, ARGV[2])
if ARGV[1] == 'restart' then
  redis.call('HSET', damaged, ARGV[2], '0')
end
return 1
