--[[
  Stores jobs and makes them ready or scheduled, unless they are duplicates.

  KEYS[1]   calls
  KEYS[2]   meta
  KEYS[3]   payloads
  KEYS[4]   ready
  KEYS[5]   scheduled
  KEYS[6]   wake
  KEYS[7]   locks
  KEYS[8]   lockof
  KEYS[9]   again
  KEYS[10]  working
  KEYS[11]  windows

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than that of the slot's call before
  ARGV[3…] for each of up to 1,000 jobs: id, payload, delay in milliseconds or '', lock or ''

  A lock is its kind, its TTL in milliseconds, ' ' and the digest of what is locked; if there
  are positions of data, ' ' and those as 'source=position' joined by ';'. The kinds are u, e,
  w and m as in locks.lua, a for an e that runs once more if it is a duplicate of a job that
  runs, and n for positions without a lock.

  Returns a letter a job: S for stored; T for stored, with the lock of a job that is gone; X
  for stored, as the TTL of a job that is still there has passed; D for dropped as a
  duplicate; R for dropped, and it runs once after the job that runs. Then, for each D and R,
  ' ' and the id of the job that has the lock.
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
local letters, holders = {}, {}
local stored, ready, scheduled = {}, {}, {}
local owners, entries, locks, windows, again = {}, {}, {}, {}, {}

-- Returns the job that makes another one a duplicate or, without one, how that is stored.
local function holderOf(digest, id)
  if owners[digest] then
    return owners[digest]
  end
  local lock = redis.call('HGET', KEYS[7], digest)
  local owner, expiry, kind = string.match(lock or '', '^(%S+) (%d+) (%a)$')
  if not owner or owner == id then
    return nil, 'S'
  end
  local isThere = kind == 'w' or redis.call('HEXISTS', KEYS[3], owner) == 1
    or redis.call('HEXISTS', KEYS[10], owner) == 1
  if not isThere then
    return nil, 'T'
  end
  if tonumber(expiry) > now then
    return owner
  end
  return nil, kind == 'w' and 'S' or 'X'
end

-- Keeps the newest position of each source with the job that makes another one a duplicate.
local function raise(holder, positions)
  local entry = entries[holder] or redis.call('HGET', KEYS[8], holder)
  local lock, known = string.match(entry or '', '^(%a%d+ %S+) ?(%S*)$')
  if not lock then
    return
  end
  local newest, sources = {}, {}
  for source, position in string.gmatch(known .. ';' .. positions, '([^=;]+)=([^;]+)') do
    if not newest[source] then
      sources[#sources + 1] = source
    end
    if not newest[source] or newest[source] < position then
      newest[source] = position
    end
  end
  for i, source in ipairs(sources) do
    sources[i] = source .. '=' .. newest[source]
  end
  entries[holder] = lock .. ' ' .. table.concat(sources, ';')
end

local function lock(id, delay, kind, ttl, digest, positions)
  if kind == 'a' then
    kind = 'e'
  end
  entries[id] = kind .. ttl .. ' ' .. digest .. (positions ~= '' and ' ' .. positions or '')
  if kind == 'm' or kind == 'n' then
    return
  end
  local expiry = string.format('%.0f', now + delay + tonumber(ttl))
  owners[digest] = id
  locks[#locks + 1] = digest
  locks[#locks + 1] = id .. ' ' .. expiry .. ' ' .. kind
  if kind == 'w' then
    windows[#windows + 1] = expiry
    windows[#windows + 1] = digest
  end
end

for i = 3, #ARGV, 4 do
  local id, payload, delay = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2])
  local kind, ttl, digest, positions
  if ARGV[i + 3] ~= '' then
    kind, ttl, digest, positions = string.match(ARGV[i + 3], '^(%a)(%d+) (%S+) ?(%S*)$')
  end
  local holder, letter = nil, 'S'
  if kind and kind ~= 'm' and kind ~= 'n' then
    holder, letter = holderOf(digest, id)
  end
  if holder then
    letter = 'D'
    if kind == 'a' and redis.call('HEXISTS', KEYS[10], holder) == 1 then
      letter = 'R'
      again[#again + 1] = digest
      again[#again + 1] = id .. ' ' .. ttl .. ' ' .. payload
    end
    if positions ~= '' then
      raise(holder, positions)
    end
    holders[#holders + 1] = ' ' .. holder
  else
    stored[#stored + 1] = id
    stored[#stored + 1] = payload
    if delay then
      scheduled[#scheduled + 1] = string.format('%.0f', now + delay)
      scheduled[#scheduled + 1] = id
    else
      ready[#ready + 1] = id
    end
    if kind then
      lock(id, delay or 0, kind, ttl, digest, positions)
    end
  end
  letters[#letters + 1] = letter
end
local lockof = {}
for id, entry in pairs(entries) do
  lockof[#lockof + 1] = id
  lockof[#lockof + 1] = entry
end

-- Read before the first write: a key of a wrong type must not leave half a call behind.
local waking = redis.pcall('LLEN', KEYS[6])
local before = #scheduled > 0 and redis.call('ZRANGE', KEYS[5], 0, 0)[1]
if #ready > 0 then
  redis.call('LLEN', KEYS[4])
end
if #lockof > 0 then
  redis.call('HLEN', KEYS[8])
end
local over = {}
if #windows > 0 then
  -- More than are added, or those that nobody asks for any more would gather.
  over = redis.call('ZRANGE', KEYS[11], '-inf', now, 'BYSCORE', 'LIMIT', 0, 10 + #windows)
end

if #again > 0 then
  redis.call('HSET', KEYS[9], unpack(again))
end
if #stored > 0 then
  redis.call('HSET', KEYS[3], unpack(stored))
end
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
if #over > 0 then
  local ended = {}
  for i, entry in ipairs(redis.call('HMGET', KEYS[7], unpack(over))) do
    local expiry = string.match(entry or '', '^%S+ (%d+) w$')
    if expiry and tonumber(expiry) <= now then
      ended[#ended + 1] = over[i]
    end
  end
  redis.call('ZREM', KEYS[11], unpack(over))
  if #ended > 0 then
    redis.call('HDEL', KEYS[7], unpack(ended))
  end
end
if #lockof > 0 then
  redis.call('HSET', KEYS[8], unpack(lockof))
end
if #locks > 0 then
  redis.call('HSET', KEYS[7], unpack(locks))
end
if #windows > 0 then
  redis.call('ZADD', KEYS[11], unpack(windows))
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
local answer = table.concat(letters) .. table.concat(holders)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. answer)
return answer
