-- keys: payloads scheduled retries dead parked lockof meta stats
--[[
  Takes a job out of where it waits, so that it can be put into another queue.

  ARGV[1]  id
  ARGV[2]  where it is: 'ready', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[3]  the other queue
  ARGV[4]  how many seconds ago its move must have begun, if it is on its way already

  Returns {place, time, payload, lock, begun}: where the job is to be in the other queue; when
  it is due or has died, '' if it is ready; what is stored; its entry in lockof, or ''; when its
  move began, in microseconds. Returns {} if it is not where it was said to be.

  Until move-end.lua the job is parked here, as 'moving:queue place time begun'. A second call
  answers the same.
]]
local id, place = ARGV[1], ARGV[2]
local payload = redis.call('HGET', payloads, id)
if not payload then
  return {}
end
local lock = redis.pcall('HGET', lockof, id)
lock = type(lock) == 'string' and lock or ''
local time = redis.call('TIME')
local reason = redis.call('HGET', parked, id) or ''
local queue, known, due, begun = string.match(reason, '^moving:(%S+) (%S+) (%S*) (%d+)$')
if queue then
  local goesOn = queue == ARGV[3] and math.floor(begun / 1000000) <= time[1] - ARGV[4]
  return goesOn and { known, due, payload, lock, begun } or {}
end
--#include take-out
local at = place == 'scheduled' and redis.call('ZSCORE', scheduled, id)
  or place == 'retries' and redis.call('ZSCORE', retries, id)
  or place == 'dead' and redis.call('ZSCORE', dead, id)
  or ''
if not takeOut(id, place) then
  return {}
end
local goal = at == '' and 'ready' or place
begun = time[1] .. string.format('%06d', time[2])
redis.call('HSET', parked, id, string.format('moving:%s %s %s %s', ARGV[3], goal, at, begun))
redis.pcall('HINCRBY', meta, 'seq', 1)
-- Workers look at parked jobs after this has changed, and finish what is broken off.
redis.pcall('HINCRBY', stats, 'parked', 1)
return { goal, at, payload, lock, begun }
