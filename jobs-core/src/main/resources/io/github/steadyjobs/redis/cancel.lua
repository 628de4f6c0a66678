-- keys: payloads scheduled retries parked cancelled crashes gathered claims
--[[
  Cancels a job that has not ended. A ready job stays in its list without its payload and is dropped by
  the claim that finds it, because removing a job from the middle of a long list takes milliseconds. The
  lock of a running job is kept until the run has ended.

  ARGV[1]  producer and slot, '' for a call without a number; see numbered.lua
  ARGV[2]  number of this call, or ''
  ARGV[3]  id
  ARGV[4]  'interrupt' to interrupt the run with the next heartbeat of its process; otherwise missing

  Returns CANCELLED if the job will not run; RUNNING if it is running and will end with this run,
  whatever the outcome; 'MOVING' and a queue if it will not run here but must also be cancelled in that
  queue, which may already have it; DEAD if it is dead and was not changed; GONE if there is no such job.
]]
--#include numbered
--#include parking
local id, place, detail = ARGV[3], locate(ARGV[3])
local running = place == 'working'
local target, before = readMove(place == 'parked' and detail)
local underWay = target and isUnderWay(detail)
local exists = redis.call('HEXISTS', payloads, id) == 1
if not exists and redis.call('SISMEMBER', cancelled, id) == 0 then
  return answered('GONE')
elseif exists and (place == 'dead' or before == 'dead') then
  return answered('DEAD')
end
--#include fate
--#include waiting-locks
--#include drop-backlog
redis.call('SCARD', cancelled)

redis.call('HDEL', gathered, id)
dropBacklogs({ id })
if running or place == 'ready' or underWay then
  -- If the job is being moved, the moving process finds this mark and cancels the job in its new queue.
  redis.call('SADD', cancelled, id)
end
local process, claim = string.match(running and ARGV[4] and detail or '', '^([^/]+)/(.+)$')
if process then
  local noted, run = hint('HGET', claims, process .. '/!') or '', ' ' .. id .. ' ' .. claim
  if not string.find(noted .. ' ', run .. ' ', 1, true) then
    hint('HSET', claims, process .. '/!', noted .. run)
  end
end
if running then
  redis.call('HDEL', payloads, id)
  hint('HDEL', crashes, id)
elseif exists then
  redis.call('ZREM', scheduled, id)
  redis.call('ZREM', retries, id)
  if not underWay then
    redis.call('HDEL', parked, id)
  end
  endWaiting({ id }, before or place)
end
return answered(running and 'RUNNING' or target and 'MOVING ' .. target or 'CANCELLED')
