-- keys: mutexes
-- Reads the stored forms of locks (see docs/wire-format.md).
--#include hint

-- Returns kind, TTL in hex, digest and positions of an entry in lockof, or nothing if unreadable.
local function readLock(entry)
  return string.match(entry or '', '^(%a)(%x+) (%S+) ?(%S*)$')
end

-- Returns the id, expiry and kind of an entry in locks, or nothing if the entry is unreadable.
local function readOwner(entry)
  local expiry, kind = string.match(entry or '', '^(%x+)([ueaw])$', 25)
  if kind then
    return string.sub(entry, 1, 24), tonumber(expiry, 16), kind
  end
end

-- Returns the reason for which a job that waits for a mutex is parked.
local function waitFor(digest)
  return 'mutex:' .. digest
end

-- Returns the digest of the mutex for which a parked job waits, or nothing.
local function awaited(reason)
  return string.match(reason or '', '^mutex:(.*)$')
end

-- Returns the job that has a mutex because it is running or will run next, if there is such a job.
local function mutexHolder(digest)
  local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
  local found = hint('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 1) or {}
  return found[1] and string.sub(found[1], #digest + 2)
end
