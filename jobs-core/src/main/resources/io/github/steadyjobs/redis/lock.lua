-- keys: mutexes
-- How locks are written, see docs/wire-format.md.
--#include hint

-- Returns kind, TTL in hex, digest and positions of an entry of lockof; nothing if it cannot be read.
local function readLock(entry)
  return string.match(entry or '', '^(%a)(%x+) (%S+) ?(%S*)$')
end

-- Returns id, expiry and kind of an entry of locks; nothing if it cannot be read.
local function readOwner(entry)
  local expiry, kind = string.match(entry or '', '^(%x+)([ueaw])$', 25)
  if kind then
    return string.sub(entry, 1, 24), tonumber(expiry, 16), kind
  end
end

-- Returns why a job is parked that waits for a mutex.
local function waitFor(digest)
  return 'mutex:' .. digest
end

-- Returns the digest of the mutex that a parked job waits for, or nothing.
local function awaited(reason)
  return string.match(reason or '', '^mutex:(.*)$')
end

-- Returns the job that has a mutex: it runs, or is next. Returns nothing if there is none.
local function mutexHolder(digest)
  local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
  local found = hint('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 1) or {}
  return found[1] and string.sub(found[1], #digest + 2)
end
