-- keys: parked payloads crashes meta dead cancelled
--[[
  Ends the move of a job to another queue.

  ARGV[1]  id
  ARGV[2]  when the move began, in microseconds
  ARGV[3]  'moved' if the other queue has the job now; 'back' if the other queue refused the job, so
           that it goes back to where it was, or to the head of the queue if it was ready

  Returns D if done; C if the job was cancelled during the move and must be cancelled in the other queue
  too; A if the job is no longer being moved, or has begun another move. Nothing is written for A.
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
