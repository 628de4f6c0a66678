-- keys: payloads working scheduled retries dead parked cancelled crashes since ready suspects meta wake
--[[
  Moves each id to the one place where it belongs.

  ARGV[1…] up to 500 different ids

  Returns a letter per id: R if it was repaired, N if nothing was wrong. There is at least one letter,
  but there may be fewer letters than ids, because a long list allows only a few ids per call.

  An id with a payload keeps only the first of its places in the order below. So a running job continues
  to run, a job that has a reason to wait continues to wait, and a dead entry never hides a living job.
  An id with a payload but no place becomes due at the time with which the id begins, but not later than
  now. An id without a payload loses its places and all entries about it, except for the place in which a
  cancelled job waits to be found and dropped. If 'ready' is of a wrong type, it counts as empty.
]]
--#include hint
--#include now
local places = { { working, 'HDEL' }, { suspects, 'LREM' }, { retries, 'ZREM' }, { scheduled, 'ZREM' },
  { parked, 'HDEL' }, { ready, 'LREM' }, { dead, 'ZREM' } }
local length = redis.call('LLEN', suspects) + (hint('LLEN', ready) or 0)
local count = math.min(#ARGV, math.max(1, math.floor(500000 / (length + 1))))
-- Read before the first write, so that a key of a wrong type does not leave the call half done.
redis.call('HGET', meta, 'paused')
redis.call('LLEN', wake)
redis.call('HLEN', crashes)
redis.call('HLEN', since)
local writes, due = {}, 0

local function later(...)
  writes[#writes + 1] = { ... }
end

-- Returns how many times an id is in a place.
local function copiesIn(key, removal, id)
  if removal == 'LREM' then
    return #(hint('LPOS', key, id, 'COUNT', 0) or {})
  end
  return removal == 'HDEL' and redis.call('HEXISTS', key, id) or redis.call('ZSCORE', key, id) and 1 or 0
end

local function repair(id)
  local before, kept = #writes, nil
  local payload = redis.call('HEXISTS', payloads, id) == 1
  local isCancelled = redis.call('SISMEMBER', cancelled, id) == 1
  for _, place in ipairs(places) do
    local key, removal = unpack(place)
    local copies = copiesIn(key, removal, id)
    -- A cancelled job is dropped when it is found in a list, or when its run or its move ends.
    if copies > 0 and not kept and (payload or isCancelled and removal ~= 'ZREM') then
      kept, copies = key, copies - 1
    end
    if copies > 0 and removal == 'LREM' then
      later('LREM', key, copies, id)
    elseif copies > 0 then
      later(removal, key, id)
    end
  end
  if #writes > before and not payload and not kept then
    later('SREM', cancelled, id)
    later('HDEL', crashes, id)
    later('HDEL', since, id)
  elseif payload and not kept then
    local creation = math.min(now, tonumber(string.sub(id, 1, 12), 16) or now)
    later('ZADD', scheduled, string.format('%.0f', creation), id)
    due = due + 1
  end
  return #writes > before and 'R' or 'N'
end

local answer = {}
for i = 1, count do
  answer[i] = repair(ARGV[i])
end
if #writes > 0 then
  --#include wake
  -- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
  redis.call('HDEL', payloads, '')
  for _, write in ipairs(writes) do
    redis.call(unpack(write))
  end
  wakeWorkers(due)
end
return table.concat(answer)
