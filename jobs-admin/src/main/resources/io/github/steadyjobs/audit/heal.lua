-- keys: locks lockof again mutexes windows parked payloads working dead cancelled gathered backlog backlogged ready
--[[
  Ends one entry of a lock or an ordered job that would never end on its own. A duplicate that was to run
  once more becomes a job, and so do payloads that were to run next, unless they were cancelled. A
  payload that is missing from the order of its backlog gets its place again. A job that waits for a
  mutex without a living holder becomes ready. All other entries are removed.

  ARGV[1]  name of the key that holds the entry: locks, lockof, again, mutexes, parked,
           gathered, backlog or backlogged
  ARGV[2]  field or member
  ARGV[3]  value as it was found; for again, gathered and backlogged, the part before the payload; for
           mutexes and backlog, any

  Returns 1 if there was something to heal, 0 otherwise.
]]
--#include fate
--#include end-locks
--#include orphans
--#include merge-backlog
--#include drop-backlog
local healable = { locks = locks, lockof = lockof, again = again, mutexes = mutexes, parked = parked,
  gathered = gathered, backlog = backlog, backlogged = backlogged }
local name, entry, key = ARGV[1], ARGV[2], healable[ARGV[1]]

-- Fails on a key of a wrong type. If such a key counted as empty, other entries would look orphaned.
redis.call('HLEN', locks)
redis.call('HLEN', again)
redis.call('ZCARD', mutexes)
redis.call('ZCARD', windows)
redis.call('HLEN', working)
redis.call('ZCARD', dead)
redis.call('SCARD', cancelled)

-- Makes a job of a backlog that has none, or puts a payload or a backlog back where it belongs.
local function healBacklog(field, found)
  local number, digest = string.match(field, '^(%x+):(%x*)$')
  if not number and redis.call('SISMEMBER', cancelled, field) == 1 then
    dropBacklogs({ field })
  elseif not number then
    local state = readBacklog(field, found)
    if not state then
      redis.call('HDEL', backlogged, field)
      return
    end
    local stored = takeFirst(state)
    local isRunning = redis.call('HEXISTS', working, field) == 1
    if stored and isRunning then
      redis.call('HSET', gathered, field, string.format('%.0f ', now) .. stored)
    elseif stored then
      redis.call('HSET', payloads, field, stored)
      redis.call('LPUSH', ready, field)
      wakeWorkers(1)
    end
  elseif digest ~= '' then
    redis.call('ZADD', backlog, 0, memberOf(field, found))
  elseif redis.call('HEXISTS', backlogged, ownerOfBacklog(found)) == 0 then
    -- The size is unknown, and places that are far apart from all others are free.
    redis.call('HSET', backlogged, ownerOfBacklog(found), number .. ' 0 0 -1000000000 1000000000')
  end
end

local value
if name == 'mutexes' or name == 'backlog' then
  value = redis.call('ZSCORE', key, entry) and ARGV[3]
else
  value = redis.call('HGET', key, entry)
end
if not value or (beforePayload(name, value) or value) ~= ARGV[3] or not isOrphan[name](now, entry, value) then
  return 0
end

-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', locks, '')
if name == 'again' then
  if redis.call('HEXISTS', payloads, string.match(value, '^%S+')) == 0 then
    runOnceMore(entry, value, '')
    wakeWorkers(1)
  end
  redis.call('HDEL', again, entry)
elseif name == 'parked' then
  redis.call('HDEL', parked, entry)
  redis.call('ZREM', mutexes, awaited(value) .. ':' .. entry)
  if redis.call('HEXISTS', payloads, entry) == 1 then
    makeReady({ entry }, true)
    wakeWorkers(1)
  end
elseif name == 'gathered' then
  if redis.call('HEXISTS', payloads, entry) == 1 then
    rejoin({ entry })
  else
    promote({ entry })
  end
elseif name == 'backlogged' then
  healBacklog(entry, value)
elseif name == 'mutexes' or name == 'backlog' then
  redis.call('ZREM', key, entry)
else
  redis.call('HDEL', key, entry)
end
return 1
