--[[
  Ends a batch of a bridge and begins the next one, with elements of Sidekiq's lists and sorted sets. An
  element is always in one of these, in a batch, or set aside, until it has become a job.

  KEYS[1]  hash: bridge → number of its last batch, ' ', time of filling that batch, in ms
  KEYS[2]  list: the open batch of the bridge
  KEYS[3]  list: elements that could not become jobs
  KEYS[4]  sorted set 'schedule' of Sidekiq
  KEYS[5]  sorted set 'retry' of Sidekiq
  KEYS[6…] lists of Sidekiq's queues; the oldest elements are taken first, until the batch has about 1 MiB

  ARGV[1]  bridge
  ARGV[2]  number of the batch to begin; the batch to end has the preceding number
  ARGV[3]  maximum number of elements to take, up to 1,000; 0 to take no elements; -1 to take no
           elements and forget the bridge, unless the batch to begin is already open
  ARGV[4]  length of the namespace with which all keys of Sidekiq begin
  ARGV[5]  number of elements of the ended batch to set aside
  ARGV[6…] positions of these elements, from 0
  then     number of members to take from 'schedule', these members, and the members to take from
           'retry'

  An element of a batch consists of a score or '', ' ', the key from which the element was taken,
  without the namespace, a newline, and the element itself.

  Returns the time at which the batch was filled, in milliseconds, and then its elements, if it has any.
  A batch that was begun before is returned unchanged, so a repeated call takes nothing. Returns STALE
  if this copy of the call is late, or if the bridge has a batch that the call does not know.
]]
local bridges, batch, aside = KEYS[1], KEYS[2], KEYS[3]
local bridge, number, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local last, filled = string.match(redis.call('HGET', bridges, bridge) or '', '^(%d+) (%d+)$')
last = tonumber(last)
local open = redis.call('LLEN', batch)
if last and last > number or open > 0 and (not last or last < number - 1) then
  return { 'STALE' }
end
if last == number and open > 0 then
  local answer = redis.call('LRANGE', batch, 0, -1)
  table.insert(answer, 1, filled)
  return answer
end
local time = redis.call('TIME')
local now = time[1] .. string.format('%03d', math.floor(time[2] / 1000))

-- Read before the first write, because a key of a wrong type must not leave a call half done.
redis.call('LLEN', aside)
for i = 4, #KEYS do
  redis.call(i < 6 and 'ZCARD' or 'LLEN', KEYS[i])
end

-- Removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', bridges, '')
local refused = tonumber(ARGV[5])
if last == number - 1 then
  for i = 6, 5 + refused do
    local element = redis.call('LINDEX', batch, ARGV[i])
    -- If somebody has deleted the batch, there is nothing to set aside.
    if element then
      redis.call('RPUSH', aside, element)
    end
  end
  redis.call('DEL', batch)
end
if most < 0 then
  redis.call('HDEL', bridges, bridge)
  return { now }
end

local elements, bytes = {}, 0
local function add(score, key, element)
  elements[#elements + 1] = score .. ' ' .. string.sub(key, tonumber(ARGV[4]) + 1) .. '\n' .. element
  bytes = bytes + #element
end
local scheduled = tonumber(ARGV[6 + refused])
for i = 7 + refused, #ARGV do
  local set = i <= 6 + refused + scheduled and KEYS[4] or KEYS[5]
  -- Another bridge, or Sidekiq, may have taken the member already.
  local score = #elements < most and redis.call('ZSCORE', set, ARGV[i])
  if score then
    redis.call('ZREM', set, ARGV[i])
    add(score, set, ARGV[i])
  end
end
for i = 6, #KEYS do
  while #elements < most and bytes < 1048576 do
    local element = redis.call('RPOP', KEYS[i])
    if not element then
      break
    end
    add('', KEYS[i], element)
  end
end
if #elements > 0 then
  redis.call('RPUSH', batch, unpack(elements))
end
if #elements > 0 or last == number - 1 then
  redis.call('HSET', bridges, bridge, number .. ' ' .. now)
end
table.insert(elements, 1, now)
return elements
