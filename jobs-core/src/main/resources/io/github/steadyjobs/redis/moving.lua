-- keys: payloads
-- A job on its way to another queue is parked as 'moving:queue place time begun', with the place
-- that it has left, when it is due or has died there, and when its move began, in microseconds. For
-- ten seconds nothing else happens to it here. After that its move counts as interrupted, and it is
-- a parked job like any other. A job that was cancelled meanwhile has no payload, and is in
-- cancelled.

-- Returns queue, place, time and begin, or nothing.
local function readMove(reason)
  return string.match(reason or '', '^moving:(%S+) (%S+) (%S*) (%d+)$')
end

local function isUnderWay(reason)
  local _, _, _, begun = readMove(reason)
  local time = begun and redis.call('TIME')
  -- If the clock was set back, no job waits longer for that.
  return begun ~= nil and math.abs(time[1] * 1000000 + time[2] - tonumber(begun)) < 10000000
end

-- Returns whether a parked job may be taken out by anything but its move.
local function isOwn(id, reason)
  return not readMove(reason) or not isUnderWay(reason) and redis.call('HEXISTS', payloads, id) == 1
end
