-- keys: payloads meta stats
--[[
  Makes jobs ready that wait for something else, or are dead.

  ARGV[1]  where they are: 'scheduled', 'retries', 'dead', 'parked' or 'ready'
  ARGV[2]  '1' to put them to the head of the queue, the first one in front; '0' to its end
  ARGV[3…] ids, at most 500

  Returns a letter a job: D for done, A if it is no longer there, G if there is no such job at
  all: it has ended, or was cancelled and only its id still stands in a list.

  A dead job keeps what it says of its failures: it is tried once, and is dead again if that
  fails too.
]]
if #ARGV > 502 then
  return redis.error_reply('ERR run-now takes at most 500 jobs at once; nothing was changed')
end
--#include take-out
--#include keep-locks
local letters, ids = {}, {}
for i = 3, #ARGV do
  local exists = redis.call('HEXISTS', payloads, ARGV[i]) == 1
  local isThere = exists and takeOut(ARGV[i], ARGV[1])
  letters[i - 2] = isThere and 'D' or exists and 'A' or 'G'
  if isThere then
    ids[#ids + 1] = ARGV[i]
  end
end
if #ids > 0 then
  local toHead = ARGV[2] == '1'
  if toHead then
    -- The last one first, so that the first one ends up at the very head.
    for i = 1, math.floor(#ids / 2) do
      ids[i], ids[#ids + 1 - i] = ids[#ids + 1 - i], ids[i]
    end
  end
  makeReady(ids, toHead)
  keepLocks(ids, true)
  hint('HINCRBY', meta, 'seq', 1)
  if ARGV[1] == 'dead' then
    hint('HINCRBY', stats, 'revived', #ids)
  end
  wakeWorkers(#ids)
end
return table.concat(letters)
