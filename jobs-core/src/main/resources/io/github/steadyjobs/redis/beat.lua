--[[
  Counts a process's heartbeat up, and joins the queue with the first one. Ends up to 100 dead
  jobs that are too many or too old.

  KEYS[1]   beats
  KEYS[2]   claims
  KEYS[3]   working
  KEYS[4]   meta
  KEYS[5]   parked
  KEYS[6]   calls
  KEYS[7]   stats
  KEYS[8]   dead
  KEYS[9]   payloads
  KEYS[10]  crashes
  KEYS[11]  locks
  KEYS[12]  lockof
  KEYS[13]  again
  KEYS[14]  mutexes
  KEYS[15]  ready
  KEYS[16]  wake
  KEYS[17]  scheduled
  KEYS[18]  retries
  KEYS[19]  suspects

  ARGV[1]  process
  ARGV[2]  '1' to join, '0' otherwise
  ARGV[3]  what its death would mean: 'stopping' that it interrupts its jobs, 'suspect' that
           the suspect which it is about to run was to blame, '' that all of them may be
  ARGV[4]  seconds after which a producer that was not seen is forgotten
  ARGV[5]  number of dead jobs to keep
  ARGV[6]  age in milliseconds up to which they are kept

  Returns {OK, parked, ever, epoch, seq, waiting, suspects, (process, counter)*}: the number
  of parked jobs, how many were ever parked, the random name of the data set, the number of
  its changes, 1 if there are jobs to give out or else 0, the number of suspects, and the
  counters of all processes of the queue, or FENCED for one that is being reclaimed.
  Returns {FENCED} if the process has not joined, or was taken for dead under this name.
  Returns {UPGRADE} if a newer version of this library has changed the queue's layout.

  A joining beat also makes known again who holds jobs and is not among the processes, as
  after a loss of the key: if such a process is dead, its jobs would stay with it for ever.
]]
local beat = redis.call('HGET', KEYS[1], ARGV[1])
if beat == 'FENCED' or (not beat and ARGV[2] == '0') then
  return { 'FENCED' }
end
local meta = redis.pcall('HMGET', KEYS[4], 'schema', 'epoch', 'seq', 'sweep', 'paused')
if meta[1] and tonumber(meta[1]) > 1 then
  return { 'UPGRADE' }
end
local time = redis.call('TIME')
local holders = ARGV[2] == '1' and redis.pcall('HVALS', KEYS[3]) or {}

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', KEYS[1], '')
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
for _, holder in ipairs(holders) do
  local process = string.match(holder, '^([^/]+)/[^/]*/%d+%a*$')
  if process then
    redis.call('HSETNX', KEYS[1], process, 0)
  end
end
if ARGV[3] == '' then
  redis.pcall('HDEL', KEYS[2], ARGV[1] .. '/')
else
  redis.pcall('HSET', KEYS[2], ARGV[1] .. '/', ARGV[3])
end
if not meta[2] and not meta.err then
  redis.call('HSETNX', KEYS[4], 'schema', '1')
  redis.call('HSET', KEYS[4], 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  -- Above every number that a data set before this one can have come to.
  redis.call('HSET', KEYS[4], 'seq', time[1] .. string.format('%06d', time[2]))
  meta = redis.call('HMGET', KEYS[4], 'schema', 'epoch', 'seq', 'sweep', 'paused')
end

local cursor = meta[4] or '0'
local page = redis.pcall('HSCAN', KEYS[6], cursor, 'COUNT', 100)
if not page.err then
  local horizon = time[1] - tonumber(ARGV[4])
  for i = 1, #page[2], 2 do
    local seen = string.match(page[2][i + 1], '^%d+ (%d+)')
    if not seen or tonumber(seen) < horizon then
      redis.call('HDEL', KEYS[6], page[2][i])
    end
  end
  if page[1] ~= cursor then
    redis.pcall('HSET', KEYS[4], 'sweep', page[1])
  end
end

local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- A burial ends what is too old as well, but there may be none any more.
local dead = redis.pcall('ZCARD', KEYS[8])
if type(dead) == 'number' and dead > 0 and type(redis.pcall('HLEN', KEYS[9])) == 'number' then
  --#include trim
  trimDead({
    locks = KEYS[11], lockof = KEYS[12], again = KEYS[13], mutexes = KEYS[14], parked = KEYS[5],
    payloads = KEYS[9], ready = KEYS[15], wake = KEYS[16], meta = KEYS[4],
    dead = KEYS[8], crashes = KEYS[10], stats = KEYS[7],
  }, now, tonumber(ARGV[5]), tonumber(ARGV[6]))
end

local function isDue(key)
  local first = redis.pcall('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and tonumber(first[2]) <= now
end
local ready, suspects = redis.pcall('LLEN', KEYS[15]), redis.pcall('LLEN', KEYS[19])
local waiting = not meta[5] and (ready ~= 0 or isDue(KEYS[17]) or isDue(KEYS[18]))

local parked = redis.pcall('HLEN', KEYS[5])
local ever = redis.pcall('HGET', KEYS[7], 'parked')
local answer = redis.call('HGETALL', KEYS[1])
table.insert(answer, 1, 'OK')
table.insert(answer, 2, type(parked) == 'number' and parked or 0)
table.insert(answer, 3, type(ever) == 'string' and tonumber(ever) or 0)
table.insert(answer, 4, meta[2] or '')
table.insert(answer, 5, tonumber(meta[3] or 0))
table.insert(answer, 6, waiting and 1 or 0)
table.insert(answer, 7, type(suspects) == 'number' and not meta[5] and suspects or 0)
return answer
