-- keys: parked payloads cancelled meta
-- Reads and writes the reasons for which jobs are parked. A job that is being moved to another queue
-- is parked as 'moving:queue place time begun' (see docs/wire-format.md). For ten seconds, nothing
-- else happens to the job in this queue. After that, the move counts as interrupted, and the job is
-- treated like any other parked job. A job that was cancelled in the meantime has no payload.
--#include hint
--#include locate
--#include now

-- Returns the queue, place, time and beginning of a move, or nothing if the reason is not a move.
local function readMove(reason)
  return string.match(reason or '', '^moving:(%S+) (%S+) (%S*) (%d+)$')
end

local function isUnderWay(reason)
  local _, _, _, begun = readMove(reason)
  -- Compares the absolute difference, so that no job waits longer because the clock was set back.
  return begun ~= nil and math.abs(now - begun / 1000) < 10000
end

-- Returns whether a parked job may be taken out by anything other than its move.
local function isOwn(id, reason)
  return not readMove(reason) or not isUnderWay(reason) and redis.call('HEXISTS', payloads, id) == 1
end

-- Stores why jobs were parked recently, so that workers search parked jobs only if they may be able
-- to run some of these jobs. For each of the latest 20 reasons, newest first, stores how many changes
-- the data set had when a job was last parked for that reason, and the reason.
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

-- Parks a job that is leaving for another queue.
local function depart(id, queue, place, at, begun, seq)
  redis.call('HSET', parked, id, string.format('moving:%s %s %s %s', queue, place, at, begun))
  noteReason(seq, 'moving:')
end

-- Puts a job whose move was not completed back to where it was, and returns that place. For 'ready',
-- the caller must make the job ready. If the job was cancelled, ends the job and returns nothing.
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
