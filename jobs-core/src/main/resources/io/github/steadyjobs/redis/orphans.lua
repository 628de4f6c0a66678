-- Which entries are kept for locks and would never end by themselves. Included by scripts
-- that give the keys as a table `at`: payloads, working, dead, parked, cancelled, locks,
-- mutexes, windows. A key of a wrong type counts as empty.

local isOrphan = {}

-- Returns id, expiry and kind, as locks.lua tells; nothing if the entry cannot be read.
local function readOwner(entry)
  local expiry, kind = string.match(entry, '^(%x+)(%a)$', 25)
  if kind then
    return string.sub(entry, 1, 24), tonumber(expiry, 16), kind
  end
end

local function isScore(score)
  return type(score) == 'string'
end

-- Returns whether a job runs or will run.
local function isAlive(at, id)
  return redis.pcall('HEXISTS', at.working, id) == 1
    or (redis.pcall('HEXISTS', at.payloads, id) == 1 and not isScore(redis.pcall('ZSCORE', at.dead, id)))
end

function isOrphan.locks(at, now, digest, entry)
  local owner, expiry, kind = readOwner(entry)
  if kind == 'w' then
    return expiry <= now and not isScore(redis.pcall('ZSCORE', at.windows, digest))
  end
  return owner and not isAlive(at, owner)
end

function isOrphan.lockof(at, _, id)
  return not isAlive(at, id) and redis.pcall('SISMEMBER', at.cancelled, id) ~= 1
end

-- What waits for a job that gave up its lock is told as well: only lockof, which cannot be
-- asked for a digest, knows of such a job.
function isOrphan.again(at, now, digest)
  local lock = redis.pcall('HGET', at.locks, digest)
  local owner, expiry, kind = readOwner(type(lock) == 'string' and lock or '')
  if kind == 'w' then
    return expiry <= now
  end
  return not owner or not isAlive(at, owner)
end

function isOrphan.mutexes(at, _, member)
  local digest, mark, id = string.match(member, '^(%S-)([=:])(%S+)$')
  if mark == '=' then
    return not isAlive(at, id)
  end
  return mark and redis.pcall('HGET', at.parked, id) ~= 'mutex:' .. digest
end

function isOrphan.parked(at, _, id, reason)
  local digest = string.match(reason, '^mutex:(%S+)$')
  if not digest then
    return false
  end
  local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
  local holder = redis.pcall('ZRANGE', at.mutexes, from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
  return not holder or not isAlive(at, string.sub(holder, #digest + 2))
    or not isScore(redis.pcall('ZSCORE', at.mutexes, digest .. ':' .. id))
end
