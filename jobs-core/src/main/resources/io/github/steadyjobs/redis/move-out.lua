-- keys: payloads lockof meta
--[[
  Takes a job out of the place where it waits, so that it can be put into another queue.

  ARGV[1]  id
  ARGV[2]  the place where the job is: 'ready', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[3]  the other queue

  Returns {begun, place, time, lock, payload}: when the move began, in microseconds; the place for the
  job in the other queue; when the job is due or died, '' if it is ready; its entry in lockof, or '';
  and its payload. Returns {} if the job is not in the given place or is already being moved.
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
