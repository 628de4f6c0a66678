-- keys: payloads working dead parked cancelled locks mutexes windows
-- Finds entries of jobs that will not end them: entries for locks, and payloads for the next run of
-- an ordered job. A key of a wrong type counts as empty.

--#include hint
--#include mutex
local isOrphan = {}

-- Returns what comes before the payload in a value of a key, if that has payloads.
local function beforePayload(name, value)
  local pattern = name == 'again' and '^%x+ %x+ ' or name == 'gathered' and '^%d+ '
  return pattern and string.match(value, pattern)
end

-- Returns id, expiry and kind, see keep-locks.lua; nothing if the entry cannot be read.
local function readOwner(entry)
  local expiry, kind = string.match(entry, '^(%x+)(%a)$', 25)
  if kind then
    return string.sub(entry, 1, 24), tonumber(expiry, 16), kind
  end
end

-- Returns whether a job runs or will run.
local function isAlive(id)
  return hint('HEXISTS', working, id) == 1
    or (hint('HEXISTS', payloads, id) == 1 and not hint('ZSCORE', dead, id))
end

function isOrphan.locks(now, digest, entry)
  local owner, expiry, kind = readOwner(entry)
  if kind == 'w' then
    return expiry <= now and not hint('ZSCORE', windows, digest)
  end
  return owner and not isAlive(owner)
end

function isOrphan.lockof(_, id)
  return not isAlive(id) and hint('SISMEMBER', cancelled, id) ~= 1
end

-- A duplicate of a job that gave up its lock counts as well: only lockof knows such a job, and it
-- cannot be searched for a digest.
function isOrphan.again(now, digest)
  local lock = hint('HGET', locks, digest)
  local owner, expiry, kind = readOwner(lock or '')
  if kind == 'w' then
    return expiry <= now
  end
  return not owner or not isAlive(owner)
end

function isOrphan.mutexes(_, member)
  local digest, mark, id = string.match(member, '^(%S-)([=:])(%S+)$')
  if mark == '=' then
    return not isAlive(id)
  end
  return mark and hint('HGET', parked, id) ~= waitFor(digest)
end

function isOrphan.gathered(_, id)
  return hint('HEXISTS', working, id) == 0
end

function isOrphan.parked(_, id, reason)
  local digest = awaited(reason)
  if not digest then
    return false
  end
  local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
  local holder = (hint('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 1) or {})[1]
  return not holder or not isAlive(string.sub(holder, #digest + 2))
    or not hint('ZSCORE', mutexes, digest .. ':' .. id)
end
