--[[
  Puts jobs that were not finished back to the head of their queue.

  KEYS[1]  working
  KEYS[2]  ready
  KEYS[3]  cancelled
  KEYS[4]  meta
  KEYS[5]  wake
  KEYS[6]  stats

  ARGV[1]  process
  ARGV[2…] for each of up to 500 jobs, in ascending order: id, capsule and number of its
           claim joined by '/'

  Returns a letter a job: D for done; C if it was cancelled while it ran and has ended; A
  for already, as an earlier answer was lost; S for stale, as another claim holds the job.
  Nothing is written for A and S.
]]
local ids = {}
for i = 2, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local holders = redis.call('HMGET', KEYS[1], unpack(ids))
local paused = redis.call('HGET', KEYS[4], 'paused')
local answer, returned = {}, 0
-- The last one first, so that the oldest ends up at the very head.
for i = #ids, 1, -1 do
  if not holders[i] then
    answer[i] = 'A'
  elseif holders[i] ~= ARGV[1] .. '/' .. ARGV[2 * i + 1] then
    answer[i] = 'S'
  else
    redis.call('HDEL', KEYS[1], ids[i])
    if redis.call('SREM', KEYS[3], ids[i]) == 1 then
      answer[i] = 'C'
    else
      redis.call('RPUSH', KEYS[2], ids[i])
      answer[i] = 'D'
      returned = returned + 1
    end
  end
end
if returned > 0 then
  redis.call('HINCRBY', KEYS[6], 'released', returned)
  if not paused then
    for _ = redis.call('LLEN', KEYS[5]) + 1, math.min(returned, 3) do
      redis.call('LPUSH', KEYS[5], '1')
    end
  end
end
return table.concat(answer)
