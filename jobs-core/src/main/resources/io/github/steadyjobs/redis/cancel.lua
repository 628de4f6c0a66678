-- keys: payloads scheduled retries parked cancelled crashes gathered claims
--[[
  Cancels a job that has not ended.

  ARGV[1]  id
  ARGV[2]  'interrupt' to have the run of a job interrupted; missing otherwise

  Returns CANCELLED if the job never runs; RUNNING if it runs now and will end with this
  run, whatever the outcome; 'MOVING' and a queue if it never runs here, and has to be cancelled in
  that queue too, which may have it by now; DEAD if it is dead and was left alone; GONE if there
  is no such job.

  The first write is a removal, which Redis accepts when its memory is full. A job that is
  ready stays in its list without payload, and is dropped by the claim that meets it: a
  removal from the middle of a long list takes milliseconds. The lock of a job that runs is
  kept until the run has ended. What has come for its key meanwhile is cancelled with it. A
  window ends at once if the job is not known to have run: it neither waits for a retry nor has
  crashed.

  A run to be interrupted is noted for the next heartbeat of its process, in a field of claims that
  names no capsule.
]]
--#include hint
--#include moving
--#include locate
local place, detail = locate(ARGV[1])
local running = place == 'working'
local target, before = readMove(place == 'parked' and detail)
local answer = target and 'MOVING ' .. target or 'CANCELLED'

local function interruptRun()
  local process, claim = string.match(detail, '^([^/]+)/(.+)$')
  if ARGV[2] and process then
    local noted = hint('HGET', claims, process .. '/!') or ''
    local run = ' ' .. ARGV[1] .. ' ' .. claim
    if not string.find(noted .. ' ', run .. ' ', 1, true) then
      hint('HSET', claims, process .. '/!', noted .. run)
    end
  end
end

if redis.call('HEXISTS', payloads, ARGV[1]) == 0 then
  if redis.call('SISMEMBER', cancelled, ARGV[1]) == 0 then
    return 'GONE'
  end
  redis.call('HDEL', gathered, ARGV[1])
  if running then
    interruptRun()
  end
  return running and 'RUNNING' or answer
elseif place == 'dead' or before == 'dead' then
  return 'DEAD'
end
--#include fate
--#include end-windows
redis.call('SCARD', cancelled)

redis.call('HDEL', payloads, ARGV[1])
local crashed = hint('HDEL', crashes, ARGV[1]) == 1
redis.call('HDEL', gathered, ARGV[1])
if running then
  redis.call('SADD', cancelled, ARGV[1])
  interruptRun()
  return 'RUNNING'
end
local failed = place == 'retries' or before == 'retries'
redis.call('ZREM', scheduled, ARGV[1])
redis.call('ZREM', retries, ARGV[1])
if target and isUnderWay(detail) or place == 'ready' then
  -- Who moves it to another queue finds this mark, and cancels it there.
  redis.call('SADD', cancelled, ARGV[1])
else
  redis.call('HDEL', parked, ARGV[1])
end
if not failed and not crashed then
  endWindows({ ARGV[1] })
end
endLocks({ ARGV[1] })
return answer
