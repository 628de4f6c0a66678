-- keys: ready since payloads scheduled retries dead parked working cancelled suspects
--[[
  Measures a queue. Writes nothing. A key of a wrong type counts as empty.

  Returns {ready, latency, scheduled, retries, dead, parked, working, suspects}. The latency is the
  number of milliseconds for which the oldest job that could run has waited. A job could run if it is
  ready, or if it is scheduled or in retries and is due. The other values are numbers of jobs. Cancelled
  jobs that are still in a list are neither counted nor considered for the latency. If more than 1,000
  jobs are running or parked, the number of cancelled jobs among them is estimated. If the oldest 1,000
  ready jobs are all cancelled, the newest ready job gives a lower bound for the latency.
]]
local MOST = 1000

--#include hint
--#include now
local readyCount, suspectCount = hint('LLEN', ready) or 0, hint('LLEN', suspects) or 0
local workingCount, parkedCount = hint('HLEN', working) or 0, hint('HLEN', parked) or 0
local cancelledCount = hint('SCARD', cancelled) or 0

local function isLiving(id)
  return cancelledCount == 0 or hint('HEXISTS', payloads, id) ~= 0
end

local function oldestReady()
  local ids = redis.call('LRANGE', ready, cancelledCount == 0 and -1 or -MOST, -1)
  for i = #ids, 1, -1 do
    if isLiving(ids[i]) then
      return ids[i]
    end
  end
  local newest = redis.call('LINDEX', ready, 0)
  return isLiving(newest) and newest
end

local function readySince(id)
  local due = hint('HGET', since, id)
  local stored = not due and hint('HGET', payloads, id)
  -- The id of an ordered job is a digest, so its time is read from the first line, the envelope.
  local first = stored and string.match(stored, '^([^\n]*)\n')
  return tonumber(due or first and (string.match(first, '"enqueued_at":(%d+)') or string.match(first, '"at":(%d+)') or 0)
    -- All other ids begin with 48 bits for the time at which they were made, in milliseconds.
    or tonumber(string.sub(id, 1, 12), 16) or 0)
end

local oldest = readyCount > 0 and oldestReady()
local begun = oldest and readySince(oldest) or now
for _, key in ipairs({ scheduled, retries }) do
  local first = hint('ZRANGE', key, 0, 0, 'WITHSCORES') or {}
  begun = math.min(begun, tonumber(first[2] or now))
end

-- Returns how many jobs in a hash were cancelled, or an estimate if the hash is large.
local function cancelledIn(key, count)
  local some, found = count > 0 and redis.call('HRANDFIELD', key, MOST) or {}, 0
  for _, isCancelled in ipairs(#some > 0 and redis.call('SMISMEMBER', cancelled, unpack(some)) or {}) do
    found = found + isCancelled
  end
  return math.floor(found * count / math.max(#some, 1))
end

if cancelledCount > 0 then
  -- A cancelled job is still parked while it is being moved to another queue.
  local gone = cancelledCount - cancelledIn(working, workingCount) - cancelledIn(parked, parkedCount)
  for _, id in ipairs(suspectCount > 0 and redis.call('LRANGE', suspects, 0, MOST - 1) or {}) do
    if not isLiving(id) then
      suspectCount, gone = suspectCount - 1, gone - 1
    end
  end
  readyCount = math.max(0, readyCount - math.max(0, gone))
end
return {
  readyCount, math.floor(math.max(0, now - begun)), hint('ZCARD', scheduled) or 0, hint('ZCARD', retries) or 0,
  hint('ZCARD', dead) or 0, parkedCount, workingCount, suspectCount,
}
