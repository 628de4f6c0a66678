--[[
  Cancels a job that has not ended.

  KEYS[1]   payloads
  KEYS[2]   working
  KEYS[3]   scheduled
  KEYS[4]   retries
  KEYS[5]   dead
  KEYS[6]   parked
  KEYS[7]   cancelled
  KEYS[8]   crashes
  KEYS[9]   locks
  KEYS[10]  lockof
  KEYS[11]  again
  KEYS[12]  mutexes
  KEYS[13]  ready
  KEYS[14]  wake
  KEYS[15]  meta
  KEYS[16]  windows

  ARGV[1]  id

  Returns CANCELLED if the job never runs; RUNNING if it runs now and will end with this
  run, whatever the outcome; DEAD if it is dead and was left alone; GONE if there is no
  such job.

  The first write is a removal, which Redis accepts when its memory is full. A job that is
  ready stays in its list without payload, and is dropped by the claim that meets it: a
  removal from the middle of a long list takes milliseconds. The lock of a job that runs is
  kept until the run has ended. A window ends at once if the job is not known to have run: it
  has neither failed, as far as it waits for its retry, nor crashed.
]]
local running = redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  if redis.call('SISMEMBER', KEYS[7], ARGV[1]) == 0 then
    return 'GONE'
  end
  return running and 'RUNNING' or 'CANCELLED'
end
if redis.call('ZSCORE', KEYS[5], ARGV[1]) then
  return 'DEAD'
end
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('ZCARD', KEYS[3])
redis.call('ZCARD', KEYS[4])
redis.call('HLEN', KEYS[6])
redis.call('SCARD', KEYS[7])

redis.call('HDEL', KEYS[1], ARGV[1])
local crashed = redis.pcall('HDEL', KEYS[8], ARGV[1]) == 1
if running then
  redis.call('SADD', KEYS[7], ARGV[1])
  return 'RUNNING'
end
local failed = redis.call('ZREM', KEYS[4], ARGV[1]) == 1
if redis.call('ZREM', KEYS[3], ARGV[1]) + redis.call('HDEL', KEYS[6], ARGV[1]) == 0 and not failed then
  redis.call('SADD', KEYS[7], ARGV[1])
end
if redis.pcall('HLEN', KEYS[10]) ~= 0 then
  --#include locks
  endLocks({
    locks = KEYS[9], lockof = KEYS[10], again = KEYS[11], mutexes = KEYS[12], parked = KEYS[6],
    payloads = KEYS[1], ready = KEYS[13], wake = KEYS[14], meta = KEYS[15], windows = KEYS[16],
  }, { ARGV[1] }, not failed and not crashed)
end
return 'CANCELLED'
