--[[
  Ends one entry that is kept for locks and would never end by itself: a duplicate that was
  to run once more becomes a job, a job that waits for nobody becomes ready, and everything
  else is removed.

  KEYS[1]   locks
  KEYS[2]   lockof
  KEYS[3]   again
  KEYS[4]   mutexes
  KEYS[5]   windows
  KEYS[6]   parked
  KEYS[7]   payloads
  KEYS[8]   working
  KEYS[9]   dead
  KEYS[10]  cancelled
  KEYS[11]  ready
  KEYS[12]  wake
  KEYS[13]  meta

  ARGV[1]  name of the key that holds the entry: locks, lockof, again, mutexes or parked
  ARGV[2]  field or member
  ARGV[3]  value of a field as it was found; of again what comes before the payload

  Returns 1 if there was something to heal, 0 otherwise.

  The first write is a removal, which Redis accepts when its memory is full.
]]
--#include locks
--#include orphans
local at = {
  locks = KEYS[1], lockof = KEYS[2], again = KEYS[3], mutexes = KEYS[4], windows = KEYS[5], parked = KEYS[6],
  payloads = KEYS[7], working = KEYS[8], dead = KEYS[9], cancelled = KEYS[10], ready = KEYS[11], wake = KEYS[12],
  meta = KEYS[13],
}
local key, entry = at[ARGV[1]], ARGV[2]

-- Read before the first write: what counts as empty here would make all the others wrong.
redis.call('HLEN', KEYS[1])
redis.call('HLEN', KEYS[2])
redis.call('HLEN', KEYS[3])
redis.call('ZCARD', KEYS[4])
redis.call('ZCARD', KEYS[5])
redis.call('HLEN', KEYS[6])
redis.call('HLEN', KEYS[7])
redis.call('HLEN', KEYS[8])
redis.call('ZCARD', KEYS[9])
redis.call('SCARD', KEYS[10])
redis.call('LLEN', KEYS[11])

local function valueOf()
  if ARGV[1] == 'mutexes' then
    return redis.call('ZSCORE', key, entry) and ARGV[3]
  end
  return redis.call('HGET', key, entry)
end

local value = valueOf()
local known = value and ARGV[1] == 'again' and string.match(value, '^%x+ %x+ ') or value
if not value or known ~= ARGV[3] then
  return 0
end
local time = redis.call('TIME')
if not isOrphan[ARGV[1]](at, time[1] * 1000 + math.floor(time[2] / 1000), entry, value) then
  return 0
end

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', KEYS[1], '')
if ARGV[1] == 'again' then
  if redis.call('HEXISTS', KEYS[7], string.match(value, '^%S+')) == 0 then
    runOnceMore(at, entry, value, '')
    wakeWorkers(at, 1)
  end
  redis.call('HDEL', KEYS[3], entry)
elseif ARGV[1] == 'parked' then
  redis.call('HDEL', KEYS[6], entry)
  redis.call('ZREM', KEYS[4], string.sub(value, #'mutex:' + 1) .. ':' .. entry)
  if redis.call('HEXISTS', KEYS[7], entry) == 1 then
    redis.call('RPUSH', KEYS[11], entry)
    wakeWorkers(at, 1)
  end
elseif ARGV[1] == 'mutexes' then
  redis.call('ZREM', KEYS[4], entry)
else
  redis.call('HDEL', key, entry)
end
return 1
