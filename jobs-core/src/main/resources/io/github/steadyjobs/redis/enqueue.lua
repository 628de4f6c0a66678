-- keys: calls meta payloads ready scheduled locks lockof again working windows
--[[
  Stores jobs and makes them ready or scheduled, unless they are duplicates.

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than that of the slot's call before
  ARGV[3…] for each of up to 1,000 jobs: id, payload, delay in milliseconds or '', lock or ''

  A lock is its kind, its TTL in milliseconds in hex, ' ' and the digest of what is locked; if
  there are positions of data, ' ' and those as 'source=position' joined by ';'. The kinds are
  those of keep-locks.lua. A duplicate of kind a runs once more if the job that it repeats is
  running and of kind e or a; if it is delayed, it is stored.

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
local last = redis.call('HGET', calls, ARGV[1])
if last then
  local number, first, answer = string.match(last, '^(%d+) %d+ (%S+) (.*)$')
  if number == ARGV[2] and first == ARGV[3] then
    return answer
  end
  if tonumber(number) >= tonumber(ARGV[2]) then
    return 'STALE'
  end
end
local schema, paused, epoch = unpack(redis.pcall('HMGET', meta, 'schema', 'paused', 'epoch'))
if schema and tonumber(schema) > 1 then
  return 'UPGRADE'
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local letters, holders = {}, {}
local newPayloads, newReady, newScheduled = {}, {}, {}
local newLocks, newLockof, newWindows, newAgain, covered = {}, {}, {}, {}, {}
local digests, owners = {}, {}

-- What is locked, in one step for all: calls are what takes time here.
for i = 6, #ARGV, 4 do
  if ARGV[i] ~= '' then
    digests[#digests + 1] = string.match(ARGV[i], '^%a%x+ (%S+)')
  end
end
local found = #digests > 0 and redis.call('HMGET', locks, unpack(digests)) or {}

-- Returns the letter of a job that finds a lock, the job that has the lock, and its kind.
local function meet(lock, id)
  local owner, expiry, kind = string.sub(lock, 1, 24), string.match(lock, '^(%x+)(%a)$', 25)
  if not expiry or owner == id then
    return 'S'
  end
  local isThere = kind == 'w' or redis.call('HEXISTS', payloads, owner) == 1
    or redis.call('HEXISTS', working, owner) == 1
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
  local entry = place and newLockof[place] or redis.call('HGET', lockof, holder)
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
    place = #newLockof + 2
    newLockof[place - 1] = holder
    raised[holder] = place
  end
  newLockof[place] = lock .. ' ' .. table.concat(sources, ';')
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
    elseif found[next] then
      letter, holder, holds = meet(found[next], id)
    end
    -- Only the end of these kinds makes up for what was dropped.
    if letter == 'D' and kind == 'a' and (holds == 'e' or holds == 'a')
        and redis.call('HEXISTS', working, holder) == 1 then
      letter = 'R'
    end
    oneMore = letter == 'R'
      or ((letter == 'T' or letter == 'X') and redis.call('HEXISTS', again, digest) == 1)
    if oneMore and delay then
      -- What runs after the holder must not wait until this one is due, nor this one run
      -- earlier: it is stored, and the lock stays where it is.
      letter, locking = 'S', false
    end
  end
  if letter == 'D' or letter == 'R' then
    if letter == 'R' then
      newAgain[#newAgain + 1] = digest
      newAgain[#newAgain + 1] = id .. ' ' .. ttl .. ' ' .. payload
    end
    local positions = string.match(lock, ' (%S+=%S+)$')
    if positions then
      raise(holder, positions)
    end
    holders[#holders + 1] = ' ' .. holder
  else
    newPayloads[#newPayloads + 1] = id
    newPayloads[#newPayloads + 1] = payload
    if delay then
      newScheduled[#newScheduled + 1] = string.format('%.0f', now + delay)
      newScheduled[#newScheduled + 1] = id
    else
      newReady[#newReady + 1] = id
    end
    if kind then
      newLockof[#newLockof + 1] = id
      newLockof[#newLockof + 1] = lock
      raised[id] = #newLockof
      if letter ~= 'S' then
        -- It stands for the older duplicate that was to run after the holder, so it needs
        -- data that is as new.
        local positions = string.match(redis.call('HGET', lockof, holder) or '', '^%S+ %S+ (%S+)$')
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
        newLocks[#newLocks + 1] = digest
        newLocks[#newLocks + 1] = id .. sameExpiry .. kind
        if kind == 'w' then
          newWindows[#newWindows + 1] = string.format('%.0f', tonumber(sameExpiry, 16))
          newWindows[#newWindows + 1] = digest
        end
      end
    end
  end
  letters[#letters + 1] = letter
end

-- Read before the first write: a key of a wrong type must not leave half a call behind.
local before = #newScheduled > 0 and redis.call('ZRANGE', scheduled, 0, 0)[1]
if #newReady > 0 then
  redis.call('LLEN', ready)
end
if #newLockof > 0 then
  redis.call('HLEN', lockof)
end
if #newAgain > 0 then
  redis.call('HLEN', again)
end
local over = {}
if #newWindows > 0 then
  -- More than are added, or those that nobody asks for would pile up.
  over = redis.call('ZRANGE', windows, '-inf', now, 'BYSCORE', 'LIMIT', 0, 10 + #newWindows)
end

if #newPayloads > 0 then
  redis.call('HSET', payloads, unpack(newPayloads))
end
if #newAgain > 0 then
  redis.call('HSET', again, unpack(newAgain))
end
if #covered > 0 then
  redis.call('HDEL', again, unpack(covered))
end
local tokens = 0
if #newReady > 0 then
  redis.call('LPUSH', ready, unpack(newReady))
  tokens = math.min(#newReady, 3)
end
if #newScheduled > 0 then
  redis.call('ZADD', scheduled, unpack(newScheduled))
  if tokens == 0 and redis.call('ZRANGE', scheduled, 0, 0)[1] ~= before then
    -- A worker that sleeps until the former earliest job is due has to look again.
    tokens = 1
  end
end
if #over > 0 then
  local ended = {}
  for i, entry in ipairs(redis.call('HMGET', locks, unpack(over))) do
    local expiry = string.match(entry or '', '^(%x+)w$', 25)
    if expiry and tonumber(expiry, 16) <= now then
      ended[#ended + 1] = over[i]
    end
  end
  redis.call('ZREM', windows, unpack(over))
  if #ended > 0 then
    redis.call('HDEL', locks, unpack(ended))
  end
end
if #newLocks > 0 then
  redis.call('HSET', locks, unpack(newLocks))
end
if #newLockof > 0 then
  redis.call('HSET', lockof, unpack(newLockof))
end
if #newWindows > 0 then
  redis.call('ZADD', windows, unpack(newWindows))
end
if epoch then
  redis.call('HINCRBY', meta, 'seq', 1)
elseif epoch == false then
  -- There is none yet; nil would mean that meta is of a wrong type.
  redis.call('HSETNX', meta, 'schema', '1')
  redis.call('HSET', meta, 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  -- Above every number that an earlier data set can have reached.
  redis.call('HSET', meta, 'seq', time[1] .. string.format('%06d', time[2]))
end
if tokens > 0 and not paused then
  --#include wake
  leaveTokens(tokens)
end
local answer = table.concat(letters) .. table.concat(holders)
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. ARGV[3] .. ' ' .. answer)
return answer
