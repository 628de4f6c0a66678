-- keys: working payloads cancelled crashes meta stats lockof
--[[
  Ends jobs that are done.

  ARGV[1]  process
  ARGV[2…] for each of up to 500 jobs: id, capsule and number of its claim joined by '/'

  Returns a letter a job: D for done; A for already, because an earlier answer was lost; S
  for stale, because another claim holds the job. Nothing is written for A and S.
]]
if #ARGV > 1001 then
  return redis.error_reply('ERR acknowledge takes at most 500 jobs at once; nothing was changed')
end
local ids = {}
for i = 2, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local holders = redis.call('HMGET', working, unpack(ids))
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
  if redis.call('HDEL', payloads, unpack(done)) < #done then
    -- Those without payload were cancelled while they ran.
    redis.pcall('SREM', cancelled, unpack(done))
  end
  redis.call('HDEL', working, unpack(done))
  redis.pcall('HDEL', crashes, unpack(done))
  redis.pcall('HINCRBY', meta, 'seq', 1)
  redis.pcall('HINCRBY', stats, 'done', #done)
  if redis.pcall('HLEN', lockof) ~= 0 then
    --#include end-locks
    endLocks(done)
  end
end
return table.concat(answer)
