--[[
  Stores jobs and makes them ready or scheduled.

  KEYS[1]  calls
  KEYS[2]  meta
  KEYS[3]  payloads
  KEYS[4]  ready
  KEYS[5]  scheduled
  KEYS[6]  wake

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than that of the slot's call before
  ARGV[3…] for each of up to 1,000 jobs: id, payload, delay in milliseconds or ''

  Returns a letter a job: S for stored.
  Returns the stored answer if this call was carried out before: its reply was lost.
  Returns STALE if a later call of the slot was carried out: this is a late copy.
  Returns UPGRADE if a newer version of this library has changed the queue's layout.

  The first write is one that Redis refuses when its memory is full, so that nothing is
  stored then.
]]
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  local number, answer = string.match(known, '^(%d+) %d+ (.*)$')
  if number == ARGV[2] then
    return answer
  end
  if tonumber(number) > tonumber(ARGV[2]) then
    return 'STALE'
  end
end
local meta = redis.pcall('HMGET', KEYS[2], 'schema', 'paused', 'epoch')
if meta[1] and tonumber(meta[1]) > 1 then
  return 'UPGRADE'
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored, ready, scheduled = {}, {}, {}
for i = 3, #ARGV, 3 do
  stored[#stored + 1] = ARGV[i]
  stored[#stored + 1] = ARGV[i + 1]
  if ARGV[i + 2] == '' then
    ready[#ready + 1] = ARGV[i]
  else
    scheduled[#scheduled + 1] = string.format('%.0f', now + tonumber(ARGV[i + 2]))
    scheduled[#scheduled + 1] = ARGV[i]
  end
end

-- Read before the first write: a key of a wrong type must not leave half a call behind.
local waking = redis.pcall('LLEN', KEYS[6])
local before = #scheduled > 0 and redis.call('ZRANGE', KEYS[5], 0, 0)[1]
if #ready > 0 then
  redis.call('LLEN', KEYS[4])
end

redis.call('HSET', KEYS[3], unpack(stored))
local tokens = 0
if #ready > 0 then
  redis.call('LPUSH', KEYS[4], unpack(ready))
  tokens = math.min(#ready, 3)
end
if #scheduled > 0 then
  redis.call('ZADD', KEYS[5], unpack(scheduled))
  if tokens == 0 and redis.call('ZRANGE', KEYS[5], 0, 0)[1] ~= before then
    -- Whoever sleeps until the job that was the earliest has to look again.
    tokens = 1
  end
end
if meta[3] then
  redis.call('HINCRBY', KEYS[2], 'seq', 1)
elseif not meta.err then
  redis.call('HSETNX', KEYS[2], 'schema', '1')
  redis.call('HSET', KEYS[2], 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  -- Above every number that a data set before this one can have come to.
  redis.call('HSET', KEYS[2], 'seq', time[1] .. string.format('%06d', time[2]))
end
if not meta[2] and type(waking) == 'number' then
  for _ = waking + 1, tokens do
    redis.call('LPUSH', KEYS[6], '1')
  end
end
local answer = string.rep('S', #stored / 2)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. answer)
return answer
