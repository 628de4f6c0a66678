-- keys: payloads ready suspects scheduled retries dead parked crashes cancelled since mutexes meta
--[[
  Deletes jobs that wait in one place or are dead, whichever come first. Those on their way to
  another queue stay.

  ARGV[1]  the place: 'ready', 'suspects', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[2]  how many, at most 1,000

  Returns {deleted, left}: numbers of jobs. Those that were cancelled before are not among the
  deleted.
]]
local wanted = tonumber(ARGV[2])
if not (wanted <= 1000) then
  return redis.error_reply('ERR purge deletes at most 1000 jobs at once; nothing was changed')
end
--#include fate
redis.call('SCARD', cancelled)
--#include end-windows
--#include moving
local function popList(key)
  local ids = redis.call('LRANGE', key, -wanted, -1)
  if #ids > 0 then
    redis.call('LTRIM', key, 0, -#ids - 1)
    hint('HDEL', since, unpack(ids))
    hint('SREM', cancelled, unpack(ids))
  end
  return ids, redis.call('LLEN', key)
end

local function popSorted(key)
  local ids = redis.call('ZRANGE', key, 0, wanted - 1)
  if #ids > 0 then
    redis.call('ZREM', key, unpack(ids))
  end
  return ids, redis.call('ZCARD', key)
end

local function popParked()
  local ids, waiting = {}, {}
  -- A scan that begins anew each time would find nothing where many were deleted.
  local found = redis.call('HRANDFIELD', parked, wanted, 'WITHVALUES')
  for i = 1, #found, 2 do
    -- One on its way to another queue may be there by now.
    if isOwn(found[i], found[i + 1]) then
      ids[#ids + 1] = found[i]
      local digest = string.match(found[i + 1], '^mutex:(.*)$')
      if digest then
        waiting[#waiting + 1] = digest .. ':' .. found[i]
      end
    end
  end
  if #ids > 0 then
    redis.call('HDEL', parked, unpack(ids))
  end
  if #waiting > 0 then
    hint('ZREM', mutexes, unpack(waiting))
  end
  return ids, redis.call('HLEN', parked)
end

local places = {
  ready = function() return popList(ready) end,
  suspects = function() return popList(suspects) end,
  scheduled = function() return popSorted(scheduled) end,
  retries = function() return popSorted(retries) end,
  dead = function() return popSorted(dead) end,
  parked = popParked,
}
local ids, left = places[ARGV[1]]()
if #ids == 0 then
  return { 0, left }
end
local deleted = redis.call('HDEL', payloads, unpack(ids))
hint('HDEL', crashes, unpack(ids))
hint('HINCRBY', meta, 'seq', 1)
if ARGV[1] ~= 'retries' and ARGV[1] ~= 'dead' then
  endWindows(ids)
end
endLocks(ids)
return { deleted, left }
