-- keys: parked payloads cancelled meta
-- Reads and writes the reasons for which jobs are parked. A job on its way to another queue is
-- parked as 'moving:queue place time begun' (see docs/wire-format.md). For ten seconds, nothing
-- else happens to it in this queue. After that, its move counts as interrupted, and it is treated
-- like any other parked job. If it was cancelled in the meantime, it has no payload.
--#include hint
--#include locate
--#include now

-- Returns the queue, place, time and beginning of a move, or nothing if the reason is another one.
local function readMove(reason)
  return string.match(reason or '', '^moving:(%S+) (%S+) (%S*) (%d+)$')
end

local function isUnderWay(reason)
  local _, _, _, begun = readMove(reason)
  -- Compares absolute values, so that no job waits longer because the clock was set back.
  return begun ~= nil and math.abs(now - begun / 1000) < 10000
end

-- Returns whether anything other than its move may take out a parked job.
local function isOwn(id, reason)
  return not readMove(reason) or not isUnderWay(reason) and redis.call('HEXISTS', payloads, id) == 1
end

-- Stores why jobs were parked recently, so that workers look through parked jobs only if they may
-- be able to run some of them. For each of up to 20 reasons, latest first, stores the number of
-- changes of the data set at that time, and the reason.
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

-- Puts a job whose move was not completed back to where it was, and returns that place. For
-- 'ready', the caller has to make it ready. If the job was cancelled, ends it and returns nothing.
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
