--[[
  Measures a queue. Writes nothing.

  KEYS[1]  ready
  KEYS[2]  since
  KEYS[3]  scheduled
  KEYS[4]  retries
  KEYS[5]  dead
  KEYS[6]  parked
  KEYS[7]  working
  KEYS[8]  cancelled
  KEYS[9]  suspects

  Returns {ready, latency, scheduled, retries, dead, parked, working, suspects}: numbers of jobs, and
  the milliseconds that the oldest ready one has waited. Cancelled jobs that still stand in
  the list are not counted, as long as they are not more than 1,000.
]]
local ready = redis.call('LLEN', KEYS[1])
local oldest = redis.call('LINDEX', KEYS[1], -1)
local latency = 0
if oldest then
  local time = redis.call('TIME')
  -- An id begins with the 48 bits of milliseconds at which it was made.
  local since = redis.call('HGET', KEYS[2], oldest) or tonumber(string.sub(oldest, 1, 12), 16) or 0
  latency = math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(since))
end
local cancelled = redis.call('SCARD', KEYS[8])
if cancelled > 0 and cancelled <= 1000 then
  local holders = redis.call('HMGET', KEYS[7], unpack(redis.call('SMEMBERS', KEYS[8])))
  for _, holder in ipairs(holders) do
    if not holder then
      ready = ready - 1
    end
  end
end
return { ready, latency, redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4]), redis.call('ZCARD', KEYS[5]),
  redis.call('HLEN', KEYS[6]), redis.call('HLEN', KEYS[7]), redis.call('LLEN', KEYS[9]) }
