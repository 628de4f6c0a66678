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
  the list are not counted, as long as they are not more than 1,000. A key of a wrong type
  counts as empty: the rest of the queue is measured all the same.
]]
local function number(length)
  return type(length) == 'number' and length or 0
end

local ready = number(redis.pcall('LLEN', KEYS[1]))
local oldest = ready > 0 and redis.call('LINDEX', KEYS[1], -1)
local latency = 0
if oldest then
  local time = redis.call('TIME')
  local due = redis.pcall('HGET', KEYS[2], oldest)
  -- An id begins with the 48 bits of milliseconds at which it was made.
  local since = type(due) == 'string' and due or tonumber(string.sub(oldest, 1, 12), 16) or 0
  latency = math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(since))
end
local working = number(redis.pcall('HLEN', KEYS[7]))
local cancelled = number(redis.pcall('SCARD', KEYS[8]))
if cancelled > 0 and cancelled <= 1000 then
  local running = 0
  if working > 0 then
    for _, holder in ipairs(redis.call('HMGET', KEYS[7], unpack(redis.call('SMEMBERS', KEYS[8])))) do
      running = running + (holder and 1 or 0)
    end
  end
  ready = math.max(0, ready - cancelled + running)
end
return { ready, latency, number(redis.pcall('ZCARD', KEYS[3])), number(redis.pcall('ZCARD', KEYS[4])),
  number(redis.pcall('ZCARD', KEYS[5])), number(redis.pcall('HLEN', KEYS[6])), working,
  number(redis.pcall('LLEN', KEYS[9])) }
