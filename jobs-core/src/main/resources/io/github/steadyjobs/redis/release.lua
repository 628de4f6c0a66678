--[[
  Puts jobs that were not finished back to the head of their queue, and suspects back to
  the suspects.

  KEYS[1]   working
  KEYS[2]   ready
  KEYS[3]   suspects
  KEYS[4]   cancelled
  KEYS[5]   meta
  KEYS[6]   wake
  KEYS[7]   stats
  KEYS[8]   locks
  KEYS[9]   lockof
  KEYS[10]  again
  KEYS[11]  mutexes
  KEYS[12]  parked
  KEYS[13]  payloads

  ARGV[1]  process
  ARGV[2…] for each of up to 500 jobs, in ascending order: id, capsule and number of its
           claim joined by '/'

  Returns a letter a job: D for done; C if it was cancelled while it ran and has ended; A
  for already, as an earlier answer was lost; S for stale, as another claim holds the job.
  Nothing is written for A and S.
]]
if #ARGV > 1001 then
  return redis.error_reply('ERR release takes at most 500 jobs at once; nothing was changed')
end
local ids = {}
for i = 2, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local holders = redis.call('HMGET', KEYS[1], unpack(ids))
local answer, returned, ended = {}, {}, {}

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', KEYS[2])
local lane = type(redis.pcall('LLEN', KEYS[3])) == 'number'

-- The last one first, so that the oldest ends up at the very head.
for i = #ids, 1, -1 do
  if not holders[i] then
    answer[i] = 'A'
  elseif holders[i] ~= ARGV[1] .. '/' .. ARGV[2 * i + 1] then
    answer[i] = 'S'
  else
    redis.call('HDEL', KEYS[1], ids[i])
    if redis.pcall('SREM', KEYS[4], ids[i]) == 1 then
      answer[i] = 'C'
      ended[#ended + 1] = ids[i]
    else
      local suspect = lane and string.find(holders[i], 's', -2, true)
      local target = suspect and KEYS[3] or KEYS[2]
      redis.call('RPUSH', target, ids[i])
      answer[i] = 'D'
      returned[#returned + 1] = ids[i]
    end
  end
end
--#include locks
local at = {
  locks = KEYS[8], lockof = KEYS[9], again = KEYS[10], mutexes = KEYS[11], parked = KEYS[12],
  payloads = KEYS[13], ready = KEYS[2], wake = KEYS[6], meta = KEYS[5],
}
if #returned + #ended > 0 and redis.pcall('HLEN', KEYS[9]) ~= 0 then
  leaveLocks(at, ended, returned, true)
end
if #returned > 0 then
  redis.pcall('HINCRBY', KEYS[5], 'seq', 1)
  redis.pcall('HINCRBY', KEYS[7], 'released', #returned)
  wakeWorkers(at, #returned)
end
return table.concat(answer)
