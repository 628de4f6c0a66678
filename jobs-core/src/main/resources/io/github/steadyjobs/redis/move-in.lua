-- keys: payloads ready scheduled retries dead parked lockof windows arrived meta
--[[
  Puts a job into this queue that was taken out of another one.

  ARGV[1]  id
  ARGV[2]  where it is to be: 'ready', 'scheduled', 'retries' or 'dead'
  ARGV[3]  when it is due or has died, '' if it is to be ready
  ARGV[4]  payload
  ARGV[5]  the entry that it had in lockof, or ''
  ARGV[6]  when the move began, in microseconds

  Returns D for done; A if the job has arrived before, and may have ended since; B if it is
  still on its way out of this queue, and may arrive once that has ended.
  Returns UPGRADE if a newer version of this library has changed the queue's layout.

  The job gets its lock if that is free. If another job has it, both stay: the job was
  accepted before. A move is remembered for 30 days, for late copies of this call and for those
  who finish what was broken off: the id alone would also stand for a move of a job that has left
  in between.
]]
local id, place, move = ARGV[1], ARGV[2], ARGV[1] .. ' ' .. ARGV[6]
if redis.call('ZSCORE', arrived, move) then
  return 'A'
elseif string.find(redis.call('HGET', parked, id) or '', '^moving:') then
  return 'B'
elseif redis.call('HEXISTS', payloads, id) == 1 then
  return 'A'
end
local schema = redis.pcall('HGET', meta, 'schema')
if type(schema) == 'string' and tonumber(schema) > 1 then
  return 'UPGRADE'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
--#include keep-locks
--#include take-lock
local kind, ttl, digest = readLock(ARGV[5])
local isFree = false
if kind and kind ~= 'm' and kind ~= 'n' and place ~= 'dead' and not (kind == 'u' and place == 'retries') then
  isFree = not holderOf(digest, now)
end
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', ready)
redis.call('ZCARD', scheduled)
redis.call('ZCARD', retries)
redis.call('ZCARD', dead)
redis.call('HLEN', lockof)
redis.call('ZCARD', windows)
local forgotten = redis.call('ZRANGE', arrived, '-inf', now - 2592000000, 'BYSCORE', 'LIMIT', 0, 100)

redis.call('HSET', payloads, id, ARGV[4])
redis.call('ZADD', arrived, string.format('%.0f', now), move)
if place == 'ready' then
  redis.call('LPUSH', ready, id)
elseif place == 'scheduled' then
  redis.call('ZADD', scheduled, ARGV[3], id)
elseif place == 'retries' then
  redis.call('ZADD', retries, ARGV[3], id)
else
  redis.call('ZADD', dead, ARGV[3], id)
end
if kind and place ~= 'dead' then
  redis.call('HSET', lockof, id, ARGV[5])
end
if isFree then
  takeLock(id, kind, ttl, digest, now, ARGV[3])
end
if #forgotten > 0 then
  redis.call('ZREM', arrived, unpack(forgotten))
end
--#include data-set
countChange(id)
wakeWorkers(place == 'dead' and 0 or 1)
return 'D'
