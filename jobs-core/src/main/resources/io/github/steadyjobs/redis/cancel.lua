-- keys: payloads scheduled retries parked cancelled crashes gathered claims
--[[
  Cancels a job that has not ended.

  ARGV[1]  producer and slot, '' for a call without a number, see numbered.lua
  ARGV[2]  number of this call, or ''
  ARGV[3]  id
  ARGV[4]  'interrupt' to interrupt the run of the job; missing otherwise

  Returns CANCELLED if the job never runs; RUNNING if it runs now and will end with this
  run, whatever the outcome; 'MOVING' and a queue if it never runs here but must also be cancelled in
  that queue, which may have it by now; DEAD if it is dead and was left alone; GONE if there is no such
  job.

  The first write is a removal, which Redis accepts even if its memory is full. A ready job stays in its
  list without payload, and is dropped by the claim that finds it, because a removal from the middle of
  a long list takes milliseconds. The lock of a job that runs is kept until the run has ended. Payloads
  that have come for its key meanwhile are cancelled with it. A window ends at once if the job is not
  known to have run: it neither waits for a retry nor has crashed. A run to be interrupted is stored for
  the next heartbeat of its process.
]]
--#include numbered
--#include hint
--#include moving
--#include locate
local id, place, detail = ARGV[3], locate(ARGV[3])
local running = place == 'working'
local target, before = readMove(place == 'parked' and detail)
local outcome = running and 'RUNNING' or target and 'MOVING ' .. target or 'CANCELLED'

local function interruptRun()
  local process, claim = string.match(running and detail or '', '^([^/]+)/(.+)$')
  if ARGV[4] and process then
    local noted = hint('HGET', claims, process .. '/!') or ''
    local run = ' ' .. id .. ' ' .. claim
    if not string.find(noted .. ' ', run .. ' ', 1, true) then
      hint('HSET', claims, process .. '/!', noted .. run)
    end
  end
end

if redis.call('HEXISTS', payloads, id) == 0 then
  if redis.call('SISMEMBER', cancelled, id) == 0 then
    return answered('GONE')
  end
  redis.call('HDEL', gathered, id)
  interruptRun()
  return answered(outcome)
elseif place == 'dead' or before == 'dead' then
  return answered('DEAD')
end
--#include fate
--#include end-windows
redis.call('SCARD', cancelled)

redis.call('HDEL', payloads, id)
local crashed = hint('HDEL', crashes, id) == 1
redis.call('HDEL', gathered, id)
if running or place == 'ready' or target and isUnderWay(detail) then
  -- The process that moves it to another queue finds this mark, and cancels it there.
  redis.call('SADD', cancelled, id)
end
if running then
  interruptRun()
  return answered(outcome)
end
redis.call('ZREM', scheduled, id)
redis.call('ZREM', retries, id)
if not (target and isUnderWay(detail)) then
  redis.call('HDEL', parked, id)
end
if place ~= 'retries' and before ~= 'retries' and not crashed then
  endWindows({ id })
end
endLocks({ id })
return answered(outcome)
