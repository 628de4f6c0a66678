-- keys: ticks ticked payloads ready meta working
--[[
  Sees to a tick of a recurring job, together with those that were missed before it.

  ARGV[1]  name
  ARGV[2]  digest of its definition, the earliest tick that is seen to, the latest one, when
           that is due, the next one or '-', and a letter to note: 'E' for a job in time, 'M'
           for one that makes up for missed ticks, 'S' for none; joined by ' '
  ARGV[3]  1 if there is a job, 0 if not
  ARGV[4]  id of the job
  ARGV[5]  payload
  ARGV[6…] its lock, as enqueue.lua takes it, or ''; in front of that, if the job expires, its
           expiry, as enqueue.lua takes it, and ''

  Returns {status, time, next}: Redis time, the tick that is next now or '', and
  - what enqueue.lua answers for the job, or S without one;
  - A if the job is there already;
  - E if the tick is not due yet, G if another one is next, C if another definition is in
    force, UPGRADE if a newer version of this library has changed the queue's layout. Nothing
    is written then.

  So a tick that is sent twice, late, or by two processes makes one job.
]]
local name, id = ARGV[1], ARGV[4]
local time = redis.call('TIME')
local millis = time[1] * 1000 + math.floor(time[2] / 1000)
local digest, first, last, due, following, letter = string.match(ARGV[2], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
local found = redis.call('ZSCORE', ticks, name)
local state = redis.call('HGET', ticked, name) or ''
if string.match(state, '^%S+') ~= digest then
  return { 'C', millis, found or '' }
elseif not found or tonumber(found) ~= tonumber(first) then
  return { 'G', millis, found or '' }
elseif millis < tonumber(due) then
  return { 'E', millis, found }
end
local schema = redis.pcall('HGET', meta, 'schema')
if type(schema) == 'string' and tonumber(schema) > 1 then
  return { 'UPGRADE', millis, found }
end
local count, width, answer, tokens, newReady = tonumber(ARGV[3]), #ARGV == 8 and 5 or 3, 'S', 0, {}
if count == 1 and (redis.call('HEXISTS', payloads, id) == 1 or redis.call('HEXISTS', working, id) == 1) then
  -- Of lost data, an older state of which was restored.
  answer, count = 'A', 0
end
if count == 1 then
  --#include admit
end
if #newReady > 0 then
  redis.call('LPUSH', ready, unpack(newReady))
  tokens = #newReady
end
local holder = string.match(answer, ' (%S+)$') or (letter == 'S' and '-' or id)
local decided = (answer == 'S' or answer == 'A') and letter or string.sub(answer, 1, 1)
redis.call('HSET', ticked, name, string.format('%s %s %.0f %s %s', digest, last, millis, decided, holder))
if following == '-' then
  redis.call('ZREM', ticks, name)
else
  redis.call('ZADD', ticks, following, name)
end

--#include wake
wakeWorkers(tokens)
--#include data-set
if #newReady > 0 then
  countChange(id)
end
return { answer, millis, following == '-' and '' or following }
