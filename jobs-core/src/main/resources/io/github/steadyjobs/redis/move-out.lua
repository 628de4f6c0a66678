-- keys: payloads lockof meta
--[[
  Takes a job out of where it waits, so that it can be put into another queue.

  ARGV[1]  id
  ARGV[2]  where it is: 'ready', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[3]  the other queue

  Returns {begun, place, time, lock, payload}: when its move began, in microseconds; where the job is to
  be in the other queue; when it is due or has died, '' if it is ready; its entry in lockof, or ''; what
  is stored. Returns {} if it is not in the given place, or is on its way already.
]]
local id, place = ARGV[1], ARGV[2]
local payload = redis.call('HGET', payloads, id)
if not payload then
  return {}
end
local lock = redis.call('HGET', lockof, id) or ''
--#include take-out
local found, detail = locate(id)
local _, goal, at = readMove(found == 'parked' and detail)
goal = goal or (place == 'parked' and 'ready' or place)
at = at or sorted[found] and detail or ''
if not takeOut(id, place) then
  return {}
end
local begun = time[1] .. string.format('%06d', time[2])
depart(id, ARGV[3], goal, at, begun, hint('HINCRBY', meta, 'seq', 1))
return { begun, goal, at, lock, payload }
