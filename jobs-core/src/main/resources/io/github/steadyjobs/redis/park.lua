-- keys: working parked payloads cancelled meta stats lockof
--[[
  Sets a job aside that cannot run for a reason that has nothing to do with time.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  reason: 'unknown:<job name>', or 'unbound:<job name>/<signature>,…'
  ARGV[5]  payload to store, empty to keep what is stored

  Returns D for done; C if the job was cancelled meanwhile and has ended; A for already,
  because an earlier answer was lost; S for stale, because another claim holds the job.
  Nothing is written for A and S.
]]
local holder = redis.call('HGET', working, ARGV[2])
if not holder then
  return 'A'
end
if holder ~= ARGV[1] .. '/' .. ARGV[3] then
  return 'S'
end
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('HLEN', parked)
if ARGV[5] ~= '' then
  redis.call('HLEN', payloads)
end

redis.call('HDEL', working, ARGV[2])
redis.pcall('HINCRBY', meta, 'seq', 1)
local wasCancelled = redis.pcall('SREM', cancelled, ARGV[2]) == 1
--#include end-locks
if redis.pcall('HLEN', lockof) ~= 0 then
  if wasCancelled then
    endLocks({ ARGV[2] })
  else
    keepLocks({ ARGV[2] })
  end
end
--#include gathered
if wasCancelled then
  promote({ ARGV[2] })
  return 'C'
end
redis.call('HSET', parked, ARGV[2], ARGV[4])
if ARGV[5] ~= '' then
  redis.call('HSET', payloads, ARGV[2], ARGV[5])
end
rejoin({ ARGV[2] })
redis.pcall('HINCRBY', stats, 'parked', 1)
return 'D'
