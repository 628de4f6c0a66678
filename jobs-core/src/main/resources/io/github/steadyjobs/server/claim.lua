-- keys: beats meta claims working ready payloads scheduled retries since cancelled suspects stats locks lockof mutexes parked gathered crashes backlog backlogged
--[[
  Gives ready jobs to a capsule, after making due jobs ready. A call with the same number returns the
  same jobs again, except jobs that the claim no longer holds.

  ARGV[1]  process
  ARGV[2]  capsule
  ARGV[3]  number of this claim, one higher than the number of the previous claim of the capsule
  ARGV[4]  number of jobs wanted, 0 to 1,000; 0 records the number, so that a copy of the call that comes
           later gets no jobs either
  ARGV[5]  maximum number of due jobs to make ready from each sorted set, and maximum number of ids to take
           from the list, from ARGV[4] to 1,000
  ARGV[6]  mark for the token: 'o' if the jobs must not run a second time, otherwise ''
  ARGV[7]  '1' to get suspects instead of ready jobs, which requires ARGV[4] to be 1; '0' otherwise
  ARGV[8]  number of wanted jobs that can begin now, from 0 to ARGV[4]; the others are claimed ahead
  ARGV[9]  number of bytes after which no more jobs are claimed ahead
  ARGV[10] number of bytes after which no more jobs are claimed at all

  Returns {OK, now, delay, left, withheld, seq, pauses, count, (id, payload)*, (id, positions)*}: the
  Redis time in microseconds; the milliseconds until the next job is due, or -1; the number of jobs that
  are still ready; 1 if jobs were not claimed ahead because of a crash, 0 otherwise; the number of
  changes of the data set; the version of the pauses; the number of jobs; these jobs; and for some of
  them, how recent the data that they read must be. This is one list, because Redis takes as long for an
  inner list as for six elements. A job that was cancelled after an earlier copy of the call has no
  payload. It may be running, so this script does not end it. If it is not running, the caller must
  acknowledge it instead of running it.
  A job of a key with a backlog (see backlog.lua) is given at most 1,000 payloads or 1 MB.
  Returns {PAUSED, now, delay, pauses} if the queue is paused, where now is in milliseconds, and delay is
  the milliseconds until the pause ends, or -1; {STALE} if a later claim was carried out; {FENCED} if the
  process has not joined the queue or was declared dead; {UPGRADE} as in enqueue.lua.

  Nothing is claimed ahead if one of the next jobs was held by a process that died. If that job killed
  this process too, jobs that have not begun would share the blame.
]]
local claimant = ARGV[1] .. '/' .. ARGV[2]
local token = claimant .. '/' .. ARGV[3] .. ARGV[6]
local number, wanted, bound = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local source = ARGV[7] == '1' and suspects or ready
if not (wanted <= 1000 and bound <= 1000) then
  return redis.error_reply('ERR claim gives at most 1000 jobs at once; nothing was changed')
end

local beat = redis.call('HGET', beats, ARGV[1])
if not beat or beat == 'FENCED' then
  return { 'FENCED' }
end
--#include hint
local schema, paused, seq, version = unpack(hint('HMGET', meta, 'schema', 'paused', 'seq', 'pauses') or {})
if schema and schema ~= '1' and tonumber(schema) > 2 then
  return { 'UPGRADE' }
end
local before = redis.call('HGET', claims, claimant)
local lastNumber = before and tonumber(string.match(before, '^%d+')) or 0
if lastNumber > number then
  return { 'STALE' }
end

--#include now
if lastNumber == number then
  --#include until-due
  local answer, last, count, positions = { 'OK', micros, -1, 0, 0, seq or 0, version or 0, 0 }, 8, 0, {}
  for id in string.gmatch(before, ' (%S+)') do
    if redis.call('HGET', working, id) == token then
      answer[last + 1], answer[last + 2] = id, redis.call('HGET', payloads, id)
      last, count = last + 2, count + 1
      local known = string.match(redis.call('HGET', lockof, id) or '', '^%S+ %S+ (%S+)$')
      if known then
        positions[#positions + 1], positions[#positions + 2] = id, known
      end
    end
  end
  local due = math.min(untilDue(scheduled), untilDue(retries))
  answer[3], answer[4], answer[8] = due < math.huge and due or -1, redis.call('LLEN', ready), count
  for i, text in ipairs(positions) do
    answer[last + i] = text
  end
  return answer
end

-- Before the first write, reads the keys that decide what happens to jobs (see fate.lua).
local present = redis.call('EXISTS', lockof, scheduled, retries, parked, gathered, crashes, since)
redis.call('HLEN', payloads)
local held = redis.call('HLEN', working)
local isPlain = present == 0 and schema ~= '2' and source == ready and not (paused or version)
if isPlain and wanted == 1 and (held < 32 or held > 512) then
  -- A shortcut for a single job. It has the same effect as the code below if the queue has no locks, no
  -- pauses, no ordered, delayed, failed or parked jobs and no records of crashes, and setAll would only set
  -- a field.
  local id = redis.call('RPOP', ready)
  local payload = id and redis.call('HGET', payloads, id)
  if payload then
    redis.call('HSET', working, id, token)
    redis.call('HSET', claims, claimant, ARGV[3] .. ' ' .. id)
    local left = redis.call('LLEN', ready)
    if left > 0 then
      --#include wake
      wakeWorkers(1)
    end
    return { 'OK', micros, -1, left, 0, seq or 0, 0, 1, id, payload }
  elseif id then
    redis.call('RPUSH', ready, id)
  end
end

local takeRun, sweepDropped
if schema == '2' and redis.call('EXISTS', backlogged) == 1 then
  --#include merge-backlog
  redis.call('ZCARD', backlog)
  redis.call('HLEN', backlogged)
  takeRun, sweepDropped = takeRunOf, sweepBacklogs
end
local hasLocks = present > 0 and redis.call('HLEN', lockof) > 0
local isBare = present == (hasLocks and 1 or 0)
local names, probe
if version then
  -- Only a queue that knows of a pause can have these fields.
  names, probe = unpack(hint('HMGET', meta, 'paused-jobs', 'probe') or {})
end
if not isBare or paused or version or wanted == 0 or source ~= ready then
  redis.call('LLEN', ready)
  redis.call('HLEN', parked)
  redis.call('HLEN', gathered)
  redis.call('ZCARD', scheduled)
  redis.call('ZCARD', retries)
end
if paused then
  local pause, ends, mark = string.match(paused, '^(%d+) (%d+) ([p-])$')
  local rest = ends and ends ~= '0' and tonumber(ends) - now
  -- This removes nothing, but lets Redis accept the writes that follow even if its memory is full. If the
  -- queue is not paused, the removal of jobs has that effect.
  redis.call('HDEL', claims, '')
  if not rest or rest > 0 then
    redis.call('HSET', claims, claimant, ARGV[3])
    return { 'PAUSED', now, rest or -1, tonumber(version or 0) }
  end
  redis.call('HDEL', meta, 'paused')
  if mark == 'p' then
    probe = pause
    redis.call('HSET', meta, 'probe', probe)
  end
end
local atOnce = tonumber(ARGV[8])
if wanted == 0 then
  -- As above: no job is removed.
  redis.call('HDEL', claims, '')
elseif probe then
  wanted, atOnce = 1, 1
end

-- How long a trial job holds up other jobs if its result stays unknown.
local PROBE_MILLIS = 60000

-- Parks a job if its name is paused, and returns whether the job was parked. If the pause has ended and
-- requires a trial, lets this job through as the trial job, and pauses the name again for PROBE_MILLIS.
local parkPaused
if names then
  --#include paused-names
  local byName = readPauses(names)
  function parkPaused(id, payload)
    local name = string.match(payload, '^{"jid":"[^"]*","class":"([^"\\]+)"')
    local pause = name and byName[name]
    if not pause then
      return false
    end
    if hasEnded(pause, now) then
      if pause.mark == 'p' then
        pause.ends = now + PROBE_MILLIS
        writePauses(byName)
      end
      return false
    end
    hint('HINCRBY', stats, 'paused', 1)
    redis.call('HSET', parked, id, 'paused:' .. name)
    return true
  end
end

local answer, last, count, positions = { 'OK', micros, -1, 0, 0, seq or 0, version or 0, 0 }, 8, 0, nil
local delay, hasCrashes, hasSince = math.huge, false, false
if not isBare then
  --#include make-ready
  --#include set-all
  --#include until-due
  -- Makes due jobs ready. Returns in how many milliseconds the next job is due.
  local function moveDue(key)
    local due = untilDue(key)
    if due > 0 then
      return due
    end
    local times = redis.call('ZRANGE', key, '-inf', now, 'BYSCORE', 'LIMIT', 0, bound, 'WITHSCORES')
    local ids = {}
    for i = 1, #times, 2 do
      ids[#ids + 1] = times[i]
    end
    redis.call('ZREM', key, unpack(ids))
    makeReady(ids, false)
    if hint('HLEN', since) then
      setAll(since, times, 0)
    end
    return untilDue(key)
  end
  delay = math.min(moveDue(scheduled), moveDue(retries))
  hasCrashes = source == ready and redis.call('EXISTS', crashes) == 1
  hasSince = redis.call('EXISTS', since) == 1
end

local started, running, passLock = nil, nil, nil
if hasLocks then
  --#include lock
  started, running, positions = {}, {}, {}
  -- Takes a mutex for a job, or parks the job until the holder of the mutex is no longer running.
  local function enterMutex(id, digest)
    local holder = mutexHolder(digest)
    if holder and (running[holder] or redis.call('HEXISTS', working, holder) == 1) then
      redis.call('HSET', parked, id, waitFor(digest))
      redis.call('ZADD', mutexes, 0, digest .. ':' .. id)
      return false
    end
    hint('ZREM', mutexes, digest .. '=' .. (holder or ''), digest .. ':' .. id)
    hint('ZADD', mutexes, 0, digest .. '=' .. id)
    return true
  end

  -- Returns whether the job may run now.
  function passLock(id, lock)
    local kind, _, digest, known = readLock(lock)
    if kind == 'm' and not enterMutex(id, digest) then
      return false
    end
    if kind == 'u' then
      started[#started + 1] = digest
    end
    running[id] = true
    if known and known ~= '' then
      positions[#positions + 1], positions[#positions + 2] = id, known
    end
    return true
  end
end

-- A payload that is taken out of a backlog counts as this many bytes, so that a call takes about as many
-- of them as a single run may have.
local BACKLOG_BYTES = 16000

local mostAhead, most = tonumber(ARGV[9]), tonumber(ARGV[10])
local bytes, asked, withheld, isEmpty = 0, 0, false, false
while count < wanted and asked < bound and bytes < most and not isEmpty do
  -- Works in steps, so that large payloads are not read for nothing: first a few jobs, and then as many as
  -- fit if payloads are about equal in size.
  local fit = count > 0 and math.ceil((most - bytes) * count / math.max(bytes, 1)) or asked > 0 and 100 or 16
  local step = math.min(wanted - count, bound - asked, wanted > atOnce and 100 or 1000, fit)
  -- Without a count, the commands for a single id take less time.
  local ids = step == 1 and { redis.call('RPOP', source) } or redis.call('RPOP', source, step)
  if not ids or not ids[1] then
    isEmpty = true
    break
  end
  local found = step == 1 and { redis.call('HGET', payloads, ids[1]) } or redis.call('HMGET', payloads, unpack(ids))
  local entries = hasLocks and redis.call('HMGET', lockof, unpack(ids))
  local hasCrashed = false
  if hasCrashes then
    for _, crash in ipairs(hint('HMGET', crashes, unpack(ids)) or {}) do
      hasCrashed = hasCrashed or crash
    end
  end
  local taken = 0
  for i, id in ipairs(ids) do
    local payload = found[i]
    if count >= atOnce and (hasCrashed or bytes >= mostAhead) then
      withheld, wanted = hasCrashed, count
      break
    elseif bytes >= most then
      break
    end
    taken = i
    if not payload then
      if hint('SREM', cancelled, id) ~= 1 then
        hint('HINCRBY', stats, 'dropped', 1)
      end
    elseif not (names and parkPaused(id, payload)) and (not hasLocks or passLock(id, entries[i])) then
      if takeRun then
        local lines
        payload, lines = takeRun(id, payload)
        bytes = bytes + lines * BACKLOG_BYTES
      end
      answer[last + 1], answer[last + 2] = id, payload
      last, count = last + 2, count + 1
      bytes = bytes + #payload
    end
  end
  asked = asked + taken
  if hasSince then
    hint('HDEL', since, '', unpack(ids, 1, taken))
  end
  -- Surplus jobs go back to where they were.
  for i = #ids, taken + 1, -1 do
    redis.call('RPUSH', source, ids[i])
  end
  isEmpty = #ids < step and taken == #ids
end

if started and #started > 0 then
  local over = {}
  for i, lock in ipairs(hint('HMGET', locks, unpack(started)) or {}) do
    if running[string.sub(lock or '', 1, 24)] then
      over[#over + 1] = started[i]
    end
  end
  if #over > 0 then
    redis.call('HDEL', locks, unpack(over))
  end
end
local claimed = ARGV[3]
if count > 0 then
  --#include set-all
  local ids, tokens = { claimed }, {}
  for i = 9, last, 2 do
    local id = answer[i]
    ids[(i - 5) / 2] = id
    tokens[i - 8], tokens[i - 7] = id, token
  end
  setAll(working, tokens, held)
  claimed = table.concat(ids, ' ')
end
if probe and count > 0 then
  redis.call('HSET', meta, 'paused', string.format('%s %.0f p', probe, now + PROBE_MILLIS))
  redis.call('HDEL', meta, 'probe')
end
redis.call('HSET', claims, claimant, claimed)
local left = not (isEmpty and source == ready) and redis.call('LLEN', ready) or 0
if sweepDropped and sweepDropped() or left > 0 then
  --#include wake
  wakeWorkers(1)
end
answer[3], answer[4], answer[5], answer[8] = delay < math.huge and delay or -1, left, withheld and 1 or 0, count
for i, text in ipairs(positions or {}) do
  answer[last + i] = text
end
return answer
