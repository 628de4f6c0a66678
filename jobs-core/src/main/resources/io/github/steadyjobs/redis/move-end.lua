-- keys: parked payloads crashes meta dead cancelled
--[[
  Ends the move of a job to another queue.

  ARGV[1]  id
  ARGV[2]  when its move began, in microseconds
  ARGV[3]  'moved' if the other queue has it now; 'back' if that has refused it, so that it goes back
           where it was, or to the head if it was ready

  Returns D for done; C if the job was cancelled meanwhile and must be cancelled in the other queue too;
  A if it is no longer on its way, or on its way again: then nothing is written.
]]
--#include parking
local id = ARGV[1]
local queue, place, at, begun = readMove(redis.call('HGET', parked, id))
if not queue or begun ~= ARGV[2] then
  return 'A'
end
--#include fate
--#include end-locks
redis.call('ZCARD', dead)
redis.call('SCARD', cancelled)
local wasCancelled = redis.call('HEXISTS', payloads, id) == 0
if wasCancelled or ARGV[3] == 'back' then
  if moveBack(id, place, at) == 'ready' then
    makeReady({ id }, true)
  end
  wakeWorkers(1)
else
  redis.call('HDEL', parked, id)
  redis.call('HDEL', payloads, id)
  hint('HDEL', crashes, id)
  endLocks({ id })
end
hint('HINCRBY', meta, 'seq', 1)
return wasCancelled and 'C' or 'D'
