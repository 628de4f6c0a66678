--[[
  Counts a process's heartbeat up, and joins the queue with the first one.

  KEYS[1]  beats
  KEYS[2]  meta
  KEYS[3]  parked
  KEYS[4]  calls
  KEYS[5]  stats

  ARGV[1]  process
  ARGV[2]  '1' to join, '0' otherwise
  ARGV[3]  random name for the data set, should the queue be new
  ARGV[4]  seconds after which a producer that was not seen is forgotten

  Returns {OK, parked, ever, (process, counter)*}: the number of parked jobs, how many were
  ever parked, and the counters of all processes of the queue.
  Returns {FENCED} if the process has not joined, or was taken for dead under this name.
  Returns {UPGRADE} if a newer version of this library has changed the queue's layout.
]]
local beat = redis.call('HGET', KEYS[1], ARGV[1])
if beat == 'FENCED' or (not beat and ARGV[2] == '0') then
  return { 'FENCED' }
end
local schema = redis.call('HGET', KEYS[2], 'schema')
if schema and tonumber(schema) > 1 then
  return { 'UPGRADE' }
end
local parked = redis.call('HLEN', KEYS[3])
local ever = tonumber(redis.call('HGET', KEYS[5], 'parked') or 0)
local cursor = redis.call('HGET', KEYS[2], 'sweep') or '0'
local page = redis.call('HSCAN', KEYS[4], cursor, 'COUNT', 100)

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', KEYS[1], '')
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
if not schema then
  redis.call('HSET', KEYS[2], 'schema', '1')
  redis.call('HSETNX', KEYS[2], 'epoch', ARGV[3])
end
local horizon = redis.call('TIME')[1] - tonumber(ARGV[4])
for i = 1, #page[2], 2 do
  local seen = string.match(page[2][i + 1], '^%d+ (%d+)')
  if not seen or tonumber(seen) < horizon then
    redis.call('HDEL', KEYS[4], page[2][i])
  end
end
if page[1] ~= cursor then
  redis.call('HSET', KEYS[2], 'sweep', page[1])
end
local answer = redis.call('HGETALL', KEYS[1])
table.insert(answer, 1, 'OK')
table.insert(answer, 2, parked)
table.insert(answer, 3, ever)
return answer
