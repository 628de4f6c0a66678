-- keys: working ready cancelled meta stats lockof
--[[
  Puts jobs that were not finished back to the head of their queue.

  ARGV[1]  process
  ARGV[2…] for each of up to 500 jobs, in ascending order: id, capsule and number of its
           claim joined by '/'; after the last one 'unbegun' if they had not begun, so
           that they are counted apart

  Returns a letter a job: D for done; C if it was cancelled while it ran and has ended; A
  for already, because an earlier answer was lost; S for stale, because another claim holds
  the job. Nothing is written for A and S.
]]
if #ARGV > 1002 then
  return redis.error_reply('ERR requeue takes at most 500 jobs at once; nothing was changed')
end
local ids = {}
for i = 2, #ARGV - 1, 2 do
  ids[#ids + 1] = ARGV[i]
end
local holders = redis.call('HMGET', working, unpack(ids))
local answer, returned, ended = {}, {}, {}

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', ready)

-- The last one first, so that the oldest ends up at the very head.
for i = #ids, 1, -1 do
  if not holders[i] then
    answer[i] = 'A'
  elseif holders[i] ~= ARGV[1] .. '/' .. ARGV[2 * i + 1] then
    answer[i] = 'S'
  else
    redis.call('HDEL', working, ids[i])
    if redis.pcall('SREM', cancelled, ids[i]) == 1 then
      answer[i] = 'C'
      ended[#ended + 1] = ids[i]
    else
      answer[i] = 'D'
      returned[#returned + 1] = ids[i]
    end
  end
end
--#include end-locks
--#include gathered
rejoin(returned)
promote(ended)
if #returned > 0 then
  makeReady(returned, true)
end
if #returned + #ended > 0 and redis.pcall('HLEN', lockof) ~= 0 then
  endLocks(ended)
  keepLocks(returned, true)
end
if #returned > 0 then
  redis.pcall('HINCRBY', meta, 'seq', 1)
  if #ARGV % 2 == 0 then
    redis.pcall('HINCRBY', stats, 'unbegun', #returned)
  else
    redis.pcall('HINCRBY', stats, 'released', #returned)
  end
  wakeWorkers(#returned)
end
return table.concat(answer)
