-- keys: beats claims working meta parked calls dead payloads ready scheduled retries suspects crashes lockof
--[[
  Counts a heartbeat of a process. The first heartbeat adds the process to the queue. Also ends up to
  100 dead jobs if there are too many dead jobs or they are too old.

  ARGV[1]  process
  ARGV[2]  '1' to join the queue, '0' otherwise
  ARGV[3]  'stopping' if jobs are not to blame for a death of the process; '' if they may be to blame
  ARGV[4]  seconds after which a silent producer is forgotten
  ARGV[5]  maximum number of dead jobs to keep
  ARGV[6]  maximum age of dead jobs in milliseconds
  ARGV[7]  the runs to interrupt, exactly as the last answer listed them; '' if it listed no runs

  Returns {OK, parked, reasons, epoch, seq, waiting, suspects, waited, runs, pauses, (process,
  counter)*}: the number of parked jobs; the reasons for which jobs were parked recently; the name of
  the data set; the number of its changes; 1 if jobs are available, 0 otherwise; the number of suspects;
  for how many milliseconds the next suspect has waited; the runs of this process to interrupt, as (' ',
  id, ' ', claim)*; the version of the pauses; and the counters of all processes of the queue, where
  FENCED stands for a process whose jobs are being recovered.
  Returns {FENCED} if the process has not joined the queue or was declared dead under this name;
  {UPGRADE} if a newer version of this library has changed the layout of the queue.
]]
local beat = redis.call('HGET', beats, ARGV[1])
if beat == 'FENCED' or (not beat and ARGV[2] == '0') then
  return { 'FENCED' }
end
--#include hint
local known = hint('HMGET', meta, 'schema', 'epoch', 'seq', 'sweep', 'paused', 'pauses', 'swept', 'reasons')
local schema, epoch, seq, sweep, paused, version, swept, reasons = unpack(known or {})
if schema and tonumber(schema) > 2 then
  return { 'UPGRADE' }
end
--#include now

-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', beats, '')
redis.call('HINCRBY', beats, ARGV[1], 1)
-- Adds processes that hold jobs but are not in beats, which happens if that key has been lost.
-- Otherwise the jobs of a dead process would stay with it forever.
for _, holder in ipairs(ARGV[2] == '1' and hint('HVALS', working) or {}) do
  local process = string.match(holder, '^([^/]+)/[^/]*/%d+%a*$')
  if process then
    redis.call('HSETNX', beats, process, 0)
  end
end
if ARGV[3] == '' then
  hint('HDEL', claims, ARGV[1] .. '/')
else
  hint('HSET', claims, ARGV[1] .. '/', ARGV[3])
end
local runs = hint('HGET', claims, ARGV[1] .. '/!') or ''
if runs ~= '' and runs == ARGV[7] then
  -- The process knows these runs. Runs that were added later must still be reported.
  redis.call('HDEL', claims, ARGV[1] .. '/!')
  runs = ''
end
if known and not epoch then
  epoch = time[1] .. '.' .. time[2] .. '/' .. ARGV[1]
  -- This is greater than any number that an earlier data set can have reached.
  seq = time[1] .. string.format('%06d', time[2])
  redis.call('HSETNX', meta, 'schema', '1')
  redis.call('HSET', meta, 'epoch', epoch, 'seq', seq)
end

if redis.call('EXISTS', calls) == 1 then
  -- If the clock is set forward, all producers look old. So after a jump of more than ten minutes, no
  -- producer is forgotten for ARGV[4] seconds. The time of this check is stored once a minute.
  local second, age = tonumber(time[1]), tonumber(ARGV[4])
  local looked, from = string.match(swept or '', '^(%d+) (%d+)$')
  local pause = looked and math.abs(second - looked) or math.huge
  from = pause > 600 and second + age or tonumber(from)
  if pause > 60 then
    hint('HSET', meta, 'swept', string.format('%.0f %.0f', second, from))
  end
  local page = second >= from and hint('HSCAN', calls, sweep or '0', 'COUNT', 100) or { sweep or '0', {} }
  for i = 1, #page[2], 2 do
    local seen = string.match(page[2][i + 1], '^%d+ (%d+)')
    if not seen or tonumber(seen) < second - age then
      redis.call('HDEL', calls, page[2][i])
    end
  end
  if page[1] ~= (sweep or '0') then
    hint('HSET', meta, 'sweep', page[1])
  end
end

-- Dead jobs that are too old also end when another job dies, but perhaps no job ever dies again.
if (hint('ZCARD', dead) or 0) > 0 and hint('HLEN', payloads) and hint('LLEN', ready) and hint('HLEN', parked)
  and hint('HLEN', lockof) then
  local hasLocks, isBare = redis.call('HLEN', lockof) > 0, false
  --#include trim
  trimDead(now, tonumber(ARGV[5]), tonumber(ARGV[6]))
end

local function isDue(key)
  local first = hint('ZRANGE', key, 0, 0, 'WITHSCORES') or {}
  return first[2] and tonumber(first[2]) <= now
end
-- The next claim finds out that the pause has reached its end.
local ends = tonumber(paused and string.match(paused, '^%d+ (%d+) ') or 0)
if ends > 0 and ends <= now then
  paused = nil
end
local waiting = not paused and (hint('LLEN', ready) ~= 0 or isDue(scheduled) or isDue(retries))
local suspectCount, waited = paused and 0 or hint('LLEN', suspects) or 0, 0
if suspectCount > 0 then
  local crash = hint('HGET', crashes, redis.call('LINDEX', suspects, -1))
  waited = math.max(0, now - (string.match(crash or '', '^%d+ (%d+) ') or now))
end
local answer = redis.call('HGETALL', beats)
for place, value in ipairs({ 'OK', hint('HLEN', parked) or 0, reasons or '', epoch or '', tonumber(seq or 0),
  waiting and 1 or 0, suspectCount, waited, runs, tonumber(version or 0) }) do
  table.insert(answer, place, value)
end
return answer
