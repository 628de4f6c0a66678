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

  A lock is its kind, its TTL in milliseconds in hex, ' ' and the digest of what is locked; if
  there are positions of data, ' ' and those as 'source=position' joined by ';'. The kinds are
  those of locks.lua; an a that is a duplicate of an e or a that runs does so once more, unless
  it is delayed: then it is stored.

  Returns a letter a job: S for stored; T for stored, with the lock of a job that is gone; X
  for stored, as the TTL of a job that is still there has passed; D for dropped as a
  duplicate; R for dropped, and it runs once after the job that runs. Then, for each D and R,
  ' ' and the id of the job that has the lock.
  Returns the stored answer if this call was carried out before: its reply was lost.
  Returns STALE if a later call of the slot was carried out: this is a late copy. Also if
  another call was carried out under this number, which the id of its first job shows: two
  processes that were restored from one snapshot share a name.
  Returns UPGRADE if a newer version of this library has changed the queue's layout.

  The first write is one that Redis refuses when its memory is full, so that nothing is
  stored then.
]]
if #ARGV > 4002 then
  return redis.error_reply('ERR enqueue takes at most 1000 jobs at once; nothing was changed')
end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  local number, first, answer = string.match(known, '^(%d+) %d+ (%S+) (.*)$')
  if number == ARGV[2] and first == ARGV[3] then
    return answer
  end
  if tonumber(number) >= tonumber(ARGV[2]) then
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
local digests, owners, lockof, locks, windows, again, covered = {}, {}, {}, {}, {}, {}, {}

-- What is locked, in one step for all: calls are what takes time here.
for i = 6, #ARGV, 4 do
  if ARGV[i] ~= '' then
    digests[#digests + 1] = string.match(ARGV[i], '^%a%x+ (%S+)')
  end
end
local known = #digests > 0 and redis.call('HMGET', KEYS[7], unpack(digests)) or {}

-- Returns the letter of a job that finds a lock, and the job that has the lock and its kind.
local function meet(lock, id)
  local owner, expiry, kind = string.sub(lock, 1, 24), string.match(lock, '^(%x+)(%a)$', 25)
  if not expiry or owner == id then
    return 'S'
  end
  local isThere = kind == 'w' or redis.call('HEXISTS', KEYS[3], owner) == 1
    or redis.call('HEXISTS', KEYS[10], owner) == 1
  if not isThere then
    return 'T', owner
  end
  if tonumber(expiry, 16) > now then
    return 'D', owner, kind
  end
  return kind == 'w' and 'S' or 'X', owner
end

-- Keeps the newest position of each source with the job that makes another one a duplicate.
local raised = {}
local function raise(holder, positions)
  local place = raised[holder]
  local entry = place and lockof[place] or redis.call('HGET', KEYS[8], holder)
  local lock, before = string.match(entry or '', '^(%a%x+ %S+) ?(%S*)$')
  if not lock then
    return
  end
  local newest, sources = {}, {}
  for source, position in string.gmatch(before .. ';' .. positions, '([^=;]+)=([^;]+)') do
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
  if not place then
    place = #lockof + 2
    lockof[place - 1] = holder
    raised[holder] = place
  end
  lockof[place] = lock .. ' ' .. table.concat(sources, ';')
end

local next, sameTtl, sameExpiry = 0, nil, nil
for i = 3, #ARGV, 4 do
  local id, payload, delay, lock = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3]
  local letter, kind, ttl, digest, locking, holder, holds, oneMore = 'S', nil, nil, nil, false, nil, nil, false
  if lock ~= '' then
    kind, ttl = string.match(lock, '^(%a)(%x+)')
    next = next + 1
    digest = digests[next]
    locking = kind ~= 'm' and kind ~= 'n'
  end
  if locking then
    holder = owners[digest]
    if holder then
      letter = 'D'
    elseif known[next] then
      letter, holder, holds = meet(known[next], id)
    end
    -- Only the end of these kinds makes up for what was dropped.
    if letter == 'D' and kind == 'a' and (holds == 'e' or holds == 'a')
        and redis.call('HEXISTS', KEYS[10], holder) == 1 then
      letter = 'R'
    end
    oneMore = letter == 'R'
      or ((letter == 'T' or letter == 'X') and redis.call('HEXISTS', KEYS[9], digest) == 1)
    if oneMore and delay then
      -- What runs after the holder must not wait until this one is due, nor this one run
      -- earlier: it is stored, and the lock stays where it is.
      letter, locking = 'S', false
    end
  end
  if letter == 'D' or letter == 'R' then
    if letter == 'R' then
      again[#again + 1] = digest
      again[#again + 1] = id .. ' ' .. ttl .. ' ' .. payload
    end
    local positions = string.match(lock, ' (%S+=%S+)$')
    if positions then
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
      lockof[#lockof + 1] = id
      lockof[#lockof + 1] = lock
      raised[id] = #lockof
      if letter ~= 'S' then
        -- It stands for the older duplicate that was to run after the holder, and needs
        -- data that is as new.
        local positions = string.match(redis.call('HGET', KEYS[8], holder) or '', '^%S+ %S+ (%S+)$')
        if positions then
          raise(id, positions)
        end
        if oneMore then
          covered[#covered + 1] = digest
        end
      end
      if locking then
        if ttl ~= sameTtl or delay then
          sameTtl = not delay and ttl
          sameExpiry = string.format('%x', now + (delay or 0) + tonumber(ttl, 16))
        end
        owners[digest] = id
        locks[#locks + 1] = digest
        locks[#locks + 1] = id .. sameExpiry .. kind
        if kind == 'w' then
          windows[#windows + 1] = string.format('%.0f', tonumber(sameExpiry, 16))
          windows[#windows + 1] = digest
        end
      end
    end
  end
  letters[#letters + 1] = letter
end

-- Read before the first write: a key of a wrong type must not leave half a call behind.
local before = #scheduled > 0 and redis.call('ZRANGE', KEYS[5], 0, 0)[1]
if #ready > 0 then
  redis.call('LLEN', KEYS[4])
end
if #lockof > 0 then
  redis.call('HLEN', KEYS[8])
end
if #again > 0 then
  redis.call('HLEN', KEYS[9])
end
local over = {}
if #windows > 0 then
  -- More than are added, or those that nobody asks for any more would gather.
  over = redis.call('ZRANGE', KEYS[11], '-inf', now, 'BYSCORE', 'LIMIT', 0, 10 + #windows)
end

if #stored > 0 then
  redis.call('HSET', KEYS[3], unpack(stored))
end
if #again > 0 then
  redis.call('HSET', KEYS[9], unpack(again))
end
if #covered > 0 then
  redis.call('HDEL', KEYS[9], unpack(covered))
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
    local expiry = string.match(entry or '', '^(%x+)w$', 25)
    if expiry and tonumber(expiry, 16) <= now then
      ended[#ended + 1] = over[i]
    end
  end
  redis.call('ZREM', KEYS[11], unpack(over))
  if #ended > 0 then
    redis.call('HDEL', KEYS[7], unpack(ended))
  end
end
if #locks > 0 then
  redis.call('HSET', KEYS[7], unpack(locks))
end
if #lockof > 0 then
  redis.call('HSET', KEYS[8], unpack(lockof))
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
if tokens > 0 and not meta[2] then
  --#include wake
  leaveTokens(KEYS[6], tokens)
end
local answer = table.concat(letters) .. table.concat(holders)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. ARGV[3] .. ' ' .. answer)
return answer
