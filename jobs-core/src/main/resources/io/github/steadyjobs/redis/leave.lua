--[[
  Takes a process out of a queue, and puts what it still holds back to the head.

  KEYS[1]  beats
  KEYS[2]  claims
  KEYS[3]  working
  KEYS[4]  ready
  KEYS[5]  cancelled
  KEYS[6]  meta
  KEYS[7]  wake
  KEYS[8]  stats

  ARGV[1]  process
  ARGV[2]  number of jobs to move at most, up to 1,000

  Returns {moved, left}. To be repeated until nothing is left; the call that leaves nothing
  removes the process.
]]
local prefix = ARGV[1] .. '/'
local working = redis.call('HGETALL', KEYS[3])
local ids = {}
for i = 1, #working, 2 do
  if string.sub(working[i + 1], 1, #prefix) == prefix then
    ids[#ids + 1] = working[i]
  end
end
local paused = redis.call('HGET', KEYS[6], 'paused')
-- The last one first, so that the oldest ends up at the very head.
table.sort(ids, function(one, other) return one > other end)
local moved = math.min(#ids, tonumber(ARGV[2]))
for i = 1, moved do
  redis.call('HDEL', KEYS[3], ids[i])
  if redis.call('SREM', KEYS[5], ids[i]) == 0 then
    redis.call('RPUSH', KEYS[4], ids[i])
  end
end
if moved > 0 then
  redis.call('HINCRBY', KEYS[8], 'released', moved)
  if not paused then
    for _ = redis.call('LLEN', KEYS[7]) + 1, math.min(moved, 3) do
      redis.call('LPUSH', KEYS[7], '1')
    end
  end
end
if moved == #ids then
  redis.call('HDEL', KEYS[1], ARGV[1])
  for _, claimant in ipairs(redis.call('HKEYS', KEYS[2])) do
    if string.sub(claimant, 1, #prefix) == prefix then
      redis.call('HDEL', KEYS[2], claimant)
    end
  end
end
return { moved, #ids - moved }
