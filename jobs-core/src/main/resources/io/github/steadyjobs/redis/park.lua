-- keys: working parked payloads cancelled meta stats lockof ready
--[[
  Sets a job aside that cannot run for a reason that has nothing to do with time.

  ARGV[1]  process
  ARGV[2]  id
  ARGV[3]  capsule and number of its claim, joined by '/'
  ARGV[4]  reason: 'unknown:<job name>', 'unbound:<job name>/<signature>,…' or
           'paused:<job name>'
  ARGV[5]  payload to store, empty to keep what is stored
  ARGV[6]  of a paused job, the version of the pauses by which it is paused

  Returns D for done; C if the job was cancelled meanwhile and has ended; A for already,
  because an earlier answer was lost; S for stale, because another claim holds the job.
  Nothing is written for A and S.

  A worker may know of a pause before its queue does, or not yet of its end. A job that the queue
  knows not to be paused any more goes back to its head instead.
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
--#include paused-names
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function isPaused(name)
  local version, names = unpack(redis.pcall('HMGET', meta, 'pauses', 'paused-jobs'))
  local pause = readPauses(names)[name]
  return tonumber(version or 0) < tonumber(ARGV[6]) or pause and not hasEnded(pause, now)
end
local name = string.match(ARGV[4], '^paused:(.*)$')
local goesOn = name and not isPaused(name)
if goesOn then
  redis.call('LLEN', ready)
end

redis.call('HDEL', working, ARGV[2])
local seq = redis.pcall('HINCRBY', meta, 'seq', 1)
local wasCancelled = redis.pcall('SREM', cancelled, ARGV[2]) == 1
--#include end-locks
if redis.pcall('HLEN', lockof) ~= 0 then
  if wasCancelled then
    endLocks({ ARGV[2] })
  else
    keepLocks({ ARGV[2] }, goesOn)
  end
end
--#include gathered
if wasCancelled then
  promote({ ARGV[2] })
  return 'C'
end
if goesOn then
  rejoin({ ARGV[2] })
  makeReady({ ARGV[2] }, true)
  wakeWorkers(1)
  return 'D'
end
redis.call('HSET', parked, ARGV[2], ARGV[4])
if ARGV[5] ~= '' then
  redis.call('HSET', payloads, ARGV[2], ARGV[5])
end
rejoin({ ARGV[2] })
if name then
  redis.pcall('HINCRBY', stats, 'paused', 1)
else
  --#include note-reason
  noteReason(seq, ARGV[4])
  redis.pcall('HINCRBY', stats, 'parked', 1)
end
return 'D'
