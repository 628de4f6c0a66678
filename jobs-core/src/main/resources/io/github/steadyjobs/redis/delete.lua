-- keys: payloads working crashes cancelled meta
--[[
  Deletes jobs that do not run.

  ARGV[1]  where they are: 'ready', 'suspects', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[2…] ids, at most 500

  Returns a letter a job: D for done, A if it is no longer there, G if there is no such job at
  all: it has ended, or was cancelled and only its id still stands in a list.

  A job that is ready or a suspect stays in its list without payload, as one that is cancelled,
  and is dropped by the claim that meets it. A window ends at once if the job is not known to
  have run: it neither has failed nor has crashed.
]]
if #ARGV > 501 then
  return redis.error_reply('ERR delete takes at most 500 jobs at once; nothing was changed')
end
redis.call('HLEN', working)
redis.call('SCARD', cancelled)
--#include take-out
--#include end-windows
--#include locate
local letters, ids, unrun, held = {}, {}, {}, {}
local inList = ARGV[1] == 'ready' or ARGV[1] == 'suspects'
for i = 2, #ARGV do
  local id = ARGV[i]
  local exists = redis.call('HEXISTS', payloads, id) == 1
  local isThere = inList and locate(id) == 'ready' or not inList and takeOut(id, ARGV[1])
  letters[i - 1] = isThere and 'D' or exists and 'A' or 'G'
  if isThere then
    ids[#ids + 1] = id
    redis.call('HDEL', payloads, id)
    local crashed = hint('HDEL', crashes, id) == 1
    if inList then
      held[#held + 1] = id
    end
    if not crashed and ARGV[1] ~= 'retries' and ARGV[1] ~= 'dead' then
      unrun[#unrun + 1] = id
    end
  end
end
if #held > 0 then
  redis.call('SADD', cancelled, unpack(held))
end
if #ids > 0 then
  hint('HINCRBY', meta, 'seq', 1)
  endWindows(unrun)
  endLocks(ids)
end
return table.concat(letters)
