--[[
  Ends jobs that are done.

  KEYS[1]   working
  KEYS[2]   payloads
  KEYS[3]   cancelled
  KEYS[4]   crashes
  KEYS[5]   meta
  KEYS[6]   stats
  KEYS[7]   locks
  KEYS[8]   lockof
  KEYS[9]   again
  KEYS[10]  mutexes
  KEYS[11]  parked
  KEYS[12]  ready
  KEYS[13]  wake

  ARGV[1]  process
  ARGV[2…] for each of up to 500 jobs: id, capsule and number of its claim joined by '/'

  Returns a letter a job: D for done; A for already, as an earlier answer was lost; S for
  stale, as another claim holds the job. Nothing is written for A and S.
]]
if #ARGV > 1001 then
  return redis.error_reply('ERR acknowledge takes at most 500 jobs at once; nothing was changed')
end
local ids = {}
for i = 2, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local holders = redis.call('HMGET', KEYS[1], unpack(ids))
local done, answer = {}, {}
for i, id in ipairs(ids) do
  if not holders[i] then
    answer[i] = 'A'
  elseif holders[i] ~= ARGV[1] .. '/' .. ARGV[2 * i + 1] then
    answer[i] = 'S'
  else
    answer[i] = 'D'
    done[#done + 1] = id
  end
end
if #done > 0 then
  if redis.call('HDEL', KEYS[2], unpack(done)) < #done then
    -- Those without payload were cancelled while they ran.
    redis.pcall('SREM', KEYS[3], unpack(done))
  end
  redis.call('HDEL', KEYS[1], unpack(done))
  redis.pcall('HDEL', KEYS[4], unpack(done))
  redis.pcall('HINCRBY', KEYS[5], 'seq', 1)
  redis.pcall('HINCRBY', KEYS[6], 'done', #done)
  if redis.pcall('HLEN', KEYS[8]) ~= 0 then
    --#include locks
    endLocks({
      locks = KEYS[7], lockof = KEYS[8], again = KEYS[9], mutexes = KEYS[10], parked = KEYS[11],
      payloads = KEYS[2], ready = KEYS[12], wake = KEYS[13], meta = KEYS[5],
    }, done)
  end
end
return table.concat(answer)
