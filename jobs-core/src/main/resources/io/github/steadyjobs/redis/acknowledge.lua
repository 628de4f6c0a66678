-- keys: working payloads cancelled crashes meta stats lockof gathered
--[[
  Ends jobs that are done.

  ARGV[1]  process
  ARGV[2…] for each claim that some of up to 500 jobs are of: capsule and number of the claim
           joined by '/', the number of these jobs, and their ids

  Returns a letter a job: D for done; A for already, because an earlier answer was lost; S
  for stale, because another claim holds the job. Nothing is written for A and S. Returns a
  single D if all are done.
]]
if #ARGV > 1501 then
  return redis.error_reply('ERR acknowledge takes at most 500 jobs at once; nothing was changed')
end
local ids, tokens, count = {}, {}, 0
local group = 2
while group < #ARGV do
  local token, last = ARGV[1] .. '/' .. ARGV[group], group + 1 + ARGV[group + 1]
  for i = group + 2, last do
    count = count + 1
    ids[count], tokens[count] = ARGV[i], token
  end
  group = last + 1
end
if count > 500 then
  return redis.error_reply('ERR acknowledge takes at most 500 jobs at once; nothing was changed')
end
local done, answer = ids, 'D'
local holders = redis.call('HMGET', working, unpack(ids))
for i = 1, count do
  if holders[i] ~= tokens[i] then
    answer = nil
    break
  end
end
if not answer then
  local letters = {}
  done = {}
  for i, id in ipairs(ids) do
    if holders[i] == tokens[i] then
      letters[i] = 'D'
      done[#done + 1] = id
    else
      letters[i] = holders[i] and 'S' or 'A'
    end
  end
  answer = table.concat(letters)
end
if #done > 0 then
  if redis.call('HDEL', payloads, unpack(done)) < #done then
    -- Those without payload were cancelled while they ran.
    redis.pcall('SREM', cancelled, unpack(done))
  end
  redis.call('HDEL', working, unpack(done))
  redis.pcall('HINCRBY', meta, 'seq', 1)
  redis.pcall('HINCRBY', stats, 'done', #done)
  if redis.call('EXISTS', crashes, lockof, gathered) > 0 then
    redis.pcall('HDEL', crashes, unpack(done))
    --#include end-locks
    endLocks(done)
    --#include gathered
    promote(done)
  end
end
return answer
