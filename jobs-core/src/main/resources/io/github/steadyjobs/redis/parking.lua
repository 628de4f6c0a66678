-- keys: parked payloads cancelled meta
-- Why jobs are parked. One on its way to another queue is parked as 'moving:queue place time begun', see
-- docs/wire-format.md. For ten seconds nothing else happens to it here. After that its move counts as
-- interrupted, and it is a parked job like any other. If it was cancelled meanwhile, it has no payload.
--#include hint
--#include locate
--#include now

-- Returns queue, place, time and begin, or nothing.
local function readMove(reason)
  return string.match(reason or '', '^moving:(%S+) (%S+) (%S*) (%d+)$')
end

local function isUnderWay(reason)
  local _, _, _, begun = readMove(reason)
  -- If the clock was set back, no job waits longer for that.
  return begun ~= nil and math.abs(now - begun / 1000) < 10000
end

-- Returns whether a parked job may be taken out by anything but its move.
local function isOwn(id, reason)
  return not readMove(reason) or not isUnderWay(reason) and redis.call('HEXISTS', payloads, id) == 1
end

-- Stores why jobs were parked lately, so that workers look through the parked ones only if there may be
-- some that they can run: for up to 20 reasons, the latest one first, the number of changes of the data
-- set at that time and the reason.
local function noteReason(seq, reason)
  reason = string.gsub(reason, '%c', ' ')
  local lines = { string.format('%.0f %s\n', seq or 0, reason) }
  for line, other in string.gmatch(hint('HGET', meta, 'reasons') or '', '(%d+ ([^\n]+)\n)') do
    if other ~= reason and #lines < 20 then
      lines[#lines + 1] = line
    end
  end
  hint('HSET', meta, 'reasons', table.concat(lines))
end

-- Parks a job that leaves for another queue.
local function depart(id, queue, place, at, begun, seq)
  redis.call('HSET', parked, id, string.format('moving:%s %s %s %s', queue, place, at, begun))
  noteReason(seq, 'moving:')
end

-- Puts a job back where it was, if its move was not completed, and returns that place. A job that was
-- ready is left to the caller. A job that was cancelled meanwhile ends, and nothing is returned.
local function moveBack(id, place, at)
  redis.call('HDEL', parked, id)
  if redis.call('HEXISTS', payloads, id) == 0 then
    redis.call('SREM', cancelled, id)
    return nil
  end
  local key = sorted[place]
  if key then
    redis.call('ZADD', key, at, id)
  end
  return place
end
