-- keys: payloads dead crashes meta stats
--[[
  Moves jobs that wait to the dead set, and trims that.

  ARGV[1]  where they are: 'ready', 'suspects', 'scheduled', 'retries' or 'parked'
  ARGV[2]  number of dead jobs to keep
  ARGV[3]  age in milliseconds up to which they are kept
  ARGV[4…] ids, at most 500; of a list, one

  Returns a letter a job: D for done, A if it is no longer there, G if there is no such job at
  all: it has ended, or was cancelled and only its id still stands in a list.
]]
if #ARGV > 503 then
  return redis.error_reply('ERR kill takes at most 500 jobs at once; nothing was changed')
end
--#include take-out
--#include trim
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local letters, ids, times = {}, {}, {}
for i = 4, #ARGV do
  local exists = redis.call('HEXISTS', payloads, ARGV[i]) == 1
  local isThere = exists and takeOut(ARGV[i], ARGV[1])
  letters[i - 3] = isThere and 'D' or exists and 'A' or 'G'
  if isThere then
    ids[#ids + 1] = ARGV[i]
    times[#times + 1] = string.format('%.0f', now)
    times[#times + 1] = ARGV[i]
  end
end
if #ids > 0 then
  redis.call('ZADD', dead, unpack(times))
  hint('HDEL', crashes, unpack(ids))
  hint('HINCRBY', meta, 'seq', 1)
  hint('HINCRBY', stats, 'dead', #ids)
  endLocks(ids)
  trimDead(now, tonumber(ARGV[2]), tonumber(ARGV[3]))
end
return table.concat(letters)
