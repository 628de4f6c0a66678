-- keys: payloads ready scheduled locks lockof again working windows
-- Stores jobs, some of which have locks or delays, unless they are duplicates. Sets answer and the
-- variables that put-new.lua reads. After all payloads, the arguments contain for each job a lock if
-- width is 3; a delay and a lock if width is 4; an expiry, a delay and a lock if width is 5. letters
-- contains the letters of the jobs that do not have the letter S.
--#include set-all
-- In the loops below, which run up to 1,000 times, locals and counters take less time than globals and '#'.
local ARGV, find, sub, match = ARGV, string.find, string.sub, string.match
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local letters, holders, owners = {}, {}, {}
local newLocks, newLockof, newWindows, newAgain, covered = {}, {}, {}, {}, {}

-- Reads the locks of all jobs with one command, because commands take most of the time here. Locks of
-- one kind and TTL have the same head, and cutting it off takes less time than matching a pattern.
local heads, digests, place, head, start, behind = {}, {}, 0, nil, nil, nil
for i = 1 + 2 * count + width, #ARGV, width - 2 do
  local lock = ARGV[i]
  if lock ~= '' then
    if not start or find(lock, start, 1, true) ~= 1 then
      start = match(lock, '^%S+ ')
      head, behind = sub(start, 1, -2), #start + 1
    end
    place = place + 1
    heads[place], digests[place] = head, sub(lock, behind)
  end
end
-- Usually no job has positions. A single search in the joined digests finds that out.
if find(table.concat(digests), ' ', 1, true) then
  for i, digest in ipairs(digests) do
    digests[i] = match(digest, '^%S+')
  end
end
local found = place > 0 and redis.call('HMGET', locks, unpack(digests)) or {}

-- Adds a duplicate's positions to the holder of the lock, and keeps the newest position of each source.
local raised, lockofSize = nil, 0
local function raise(holder, positions)
  if not raised then
    raised = {}
    for i = 1, lockofSize, 2 do
      raised[newLockof[i]] = newLockof[i + 1]
    end
  end
  local entry = raised[holder] or redis.call('HGET', lockof, holder)
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
  raised[holder] = lock .. ' ' .. table.concat(sources, ';')
  -- If there are two entries for a job, Redis keeps the second entry.
  newLockof[lockofSize + 1], newLockof[lockofSize + 2] = holder, raised[holder]
  lockofSize = lockofSize + 2
end

-- Decides about a job whose lock another job has or had. Returns the letter for the job; the other job;
-- whether a duplicate is to run after the other job; and whether the job, if stored, gets the lock.
local function ask(id, kind, digest, lock, delay)
  local letter, holder = 'D', owners[digest]
  if not holder then
    local expiry, holds = string.match(lock, '^(%x+)(%a)$', 25)
    holder = string.sub(lock, 1, 24)
    if not expiry or holder == id then
      return 'S', nil, false, true
    end
    local isThere = holds == 'w' or redis.call('HEXISTS', payloads, holder) == 1
      or redis.call('HEXISTS', working, holder) == 1
    if not isThere then
      letter = 'T'
    elseif tonumber(expiry, 16) <= now then
      letter = holds == 'w' and 'S' or 'X'
    elseif kind == 'a' and (holds == 'e' or holds == 'a') and redis.call('HEXISTS', working, holder) == 1 then
      -- Only locks of these kinds let a dropped duplicate run when they end.
      letter = 'R'
    end
  end
  local oneMore = letter == 'R'
    or ((letter == 'T' or letter == 'X') and redis.call('HEXISTS', again, digest) == 1)
  if oneMore and delay then
    -- The duplicate that is to run after the holder must not wait until this job is due, and this
    -- job must not run before it is due. So this job is stored, and the lock stays where it is.
    return 'S', nil, false, false
  end
  return letter, holder, oneMore, true
end

local kind, ttl, ending, keepsOut, readySize, locksSize = nil, nil, nil, false, 0, 0
place, head = 0, nil
for n = 1, count do
  local id, at = ARGV[2 + 2 * n], 3 + 2 * count + (width - 2) * n
  local delay, lock = width > 3 and tonumber(ARGV[at - 1]), ARGV[at]
  if width == 5 and ARGV[at - 2] ~= '' then
    -- The expiry becomes a time by the clock of Redis, which also gives the time of the claim. The
    -- clock of the producer may differ.
    local left, offset = match(ARGV[at - 2], '^(%-?%d+) (%d+)$')
    local payload = ARGV[3 + 2 * n]
    local rest = match(payload, '^%-?%d+()', offset + 1)
    ARGV[3 + 2 * n] = sub(payload, 1, offset) .. string.format('%.0f', now + left) .. sub(payload, rest)
  end
  local letter, digest, holder, oneMore, locking = 'S', nil, nil, false, false
  if lock ~= '' then
    place = place + 1
    digest = digests[place]
    if heads[place] ~= head then
      head = heads[place]
      kind, ttl = sub(head, 1, 1), sub(head, 2)
      keepsOut, ending = kind ~= 'm' and kind ~= 'n', string.format('%x', now + tonumber(ttl, 16)) .. kind
    end
    locking = keepsOut
    if locking and (owners[digest] or found[place]) then
      letter, holder, oneMore, locking = ask(id, kind, digest, found[place], delay)
    end
  end
  if letter ~= 'S' then
    letters[n] = letter
  end
  if letter == 'D' or letter == 'R' then
    if letter == 'R' then
      newAgain[#newAgain + 1], newAgain[#newAgain + 2] = digest, id .. ' ' .. ttl .. ' ' .. ARGV[3 + 2 * n]
    end
    local positions = match(lock, ' (%S+=%S+)$')
    if positions then
      raise(holder, positions)
    end
    holders[#holders + 1] = ' ' .. holder
  else
    if delay then
      newScheduled[#newScheduled + 1], newScheduled[#newScheduled + 2] = string.format('%.0f', now + delay), id
    else
      readySize = readySize + 1
      newReady[readySize] = id
    end
    if digest then
      newLockof[lockofSize + 1], newLockof[lockofSize + 2] = id, lock
      lockofSize = lockofSize + 2
      if raised then
        raised[id] = lock
      end
    end
    if letter ~= 'S' then
      -- This job takes over the lock of a holder for which duplicates may have been dropped, so this job
      -- needs data that is at least as new as those duplicates needed.
      local positions = match(redis.call('HGET', lockof, holder) or '', '^%S+ %S+ (%S+)$')
      if positions then
        raise(id, positions)
      end
      if oneMore then
        covered[#covered + 1] = digest
      end
    end
    if locking then
      owners[digest] = id
      newLocks[locksSize + 1] = digest
      newLocks[locksSize + 2] = id .. (delay and string.format('%x', now + delay + tonumber(ttl, 16)) .. kind or ending)
      locksSize = locksSize + 2
      if kind == 'w' then
        newWindows[#newWindows + 1] = string.format('%.0f', now + (delay or 0) + tonumber(ttl, 16))
        newWindows[#newWindows + 1] = digest
      end
    end
  end
end
if next(letters) then
  local all = {}
  for n = 1, count do
    all[n] = letters[n] or 'S'
  end
  answer = table.concat(all) .. table.concat(holders)
end

-- Read before the first write, so that a key of a wrong type does not leave the call half done.
earliest = #newScheduled > 0 and redis.call('ZRANGE', scheduled, 0, 0)[1]
if #newReady > 0 then
  redis.call('LLEN', ready)
end
if #newLockof > 0 then
  redis.call('HLEN', lockof)
end
if #newAgain > 0 then
  redis.call('HLEN', again)
end
local over, ended = {}, {}
if #newWindows > 0 then
  -- Removes up to two windows for each window that is added, and ten more, so that forgotten windows do not
  -- pile up.
  over = redis.call('ZRANGE', windows, '-inf', now, 'BYSCORE', 'LIMIT', 0, 10 + #newWindows)
end
for i, entry in ipairs(#over > 0 and redis.call('HMGET', locks, unpack(over)) or {}) do
  local expiry = string.match(entry or '', '^(%x+)w$', 25)
  if expiry and tonumber(expiry, 16) <= now then
    ended[#ended + 1] = over[i]
  end
end

if #holders == 0 then
  redis.call('HSET', payloads, unpack(ARGV, 4, 3 + 2 * count))
elseif #holders < count then
  local stored = {}
  for n = 1, count do
    if letters[n] ~= 'D' and letters[n] ~= 'R' then
      stored[#stored + 1], stored[#stored + 2] = ARGV[2 + 2 * n], ARGV[3 + 2 * n]
    end
  end
  redis.call('HSET', payloads, unpack(stored))
end
setAll(again, newAgain, 0)
if #covered > 0 then
  redis.call('HDEL', again, unpack(covered))
end
if #over > 0 then
  redis.call('ZREM', windows, unpack(over))
  redis.call('HDEL', locks, '', unpack(ended))
end
setAll(locks, newLocks, 0)
setAll(lockof, newLockof, 0)
if #newWindows > 0 then
  redis.call('ZADD', windows, unpack(newWindows))
end
