-- keys: payloads working dead parked cancelled locks mutexes windows gathered backlog backlogged
-- Finds orphans: entries of locks, and payloads for the next run of an ordered job, that no job will
-- ever remove. Here, a key of a wrong type counts as empty.
--#include lock
--#include backlog
local isOrphan = {}

-- Returns the part of a value before its payload, if the values of the key contain payloads.
local function beforePayload(name, value)
  local pattern = name == 'again' and '^%x+ %x+ ' or name == 'gathered' and '^%d+ '
    or name == 'backlogged' and '^' .. string.rep('%x', 10) .. '%S* '
  return pattern and string.match(value, pattern)
end

-- Returns the id of the key whose backlog begins its next job with an envelope.
local function ownerOfBacklog(envelope)
  return string.match(envelope, '^{"jid":"(%x+)"')
end

-- Returns whether a job is running or will run.
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

-- The duplicate of a job that gave up its lock counts as an orphan too, because only lockof refers to
-- such a job, and lockof cannot be searched for a digest.
function isOrphan.again(now, digest)
  local owner, expiry, kind = readOwner(hint('HGET', locks, digest))
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

-- A backlog without a job, or a payload that is missing from the order of its backlog.
function isOrphan.backlogged(_, field, value)
  local number, digest = string.match(field, '^(%x+):(%x*)$')
  if not number then
    local key = hint('HEXISTS', working, field) == 1 and gathered or payloads
    return hint('HEXISTS', key, field) == 0
  elseif digest ~= '' then
    return not hint('ZSCORE', backlog, memberOf(field, value))
  end
  local owner = ownerOfBacklog(value)
  local known = owner and readBacklog(owner, hint('HGET', backlogged, owner))
  return owner and not (known and known.number == number) and not hint('ZSCORE', backlog, '!' .. field)
end

-- A place without a payload in the order of a backlog.
function isOrphan.backlog(_, member)
  local number, digest = string.match(member, '^(%x+):.*(' .. string.rep('%x', 24) .. ')$')
  return number and hint('HEXISTS', backlogged, number .. ':' .. digest) == 0
end

function isOrphan.parked(_, id, reason)
  local digest = awaited(reason)
  if not digest then
    return false
  end
  local holder = mutexHolder(digest)
  return not holder or not isAlive(holder) or not hint('ZSCORE', mutexes, digest .. ':' .. id)
end
