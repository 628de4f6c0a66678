-- keys: beats meta claims working ready payloads scheduled retries since cancelled suspects stats locks lockof mutexes parked crashes
--[[
  Gives ready jobs to a capsule, after making due jobs ready. A call with the same number returns the
  same jobs again, except jobs that the claim no longer holds.

  ARGV[1]  process
  ARGV[2]  capsule
  ARGV[3]  number of this claim, one higher than the number of the previous claim of the capsule
  ARGV[4]  number of jobs wanted, 0 to 1,000; 0 records the number, so that a copy of the call that comes
           later gets no jobs either
  ARGV[5]  maximum number of ids to move in one step, from ARGV[4] to 1,000
  ARGV[6]  mark for the token: 'o' if the jobs must not run a second time, otherwise ''
  ARGV[7]  '1' to get suspects instead of ready jobs, which requires ARGV[4] to be 1; '0' otherwise
  ARGV[8]  number of wanted jobs that can begin now, from 0 to ARGV[4]; the others are claimed ahead
  ARGV[9]  number of bytes after which no more jobs are claimed ahead
  ARGV[10] number of bytes after which no more jobs are claimed at all

  Returns {OK, now, delay, left, withheld, seq, {id*}, {payload*}, {(id, positions)*}, pauses}: the
  Redis time in microseconds; the milliseconds until the next job is due, or -1; the number of jobs that
  are still ready; 1 if jobs were not claimed ahead because of a crash, 0 otherwise; the number of
  changes of the data set; the ids of the jobs; their payloads; for some of the jobs, how recent the
  data that they read must be; and the version of the pauses. A job that was cancelled after an earlier
  copy of the call has no payload. It may be running, so this script does not end it. If it is not
  running, the caller must acknowledge it instead of running it.
  Returns {PAUSED, now, delay, pauses} if the queue is paused, where now is in milliseconds, and delay is
  the milliseconds until the pause ends, or -1; {STALE} if a later claim was carried out; {FENCED} if the
  process has not joined the queue or was declared dead; {UPGRADE} as in enqueue.lua.

  Nothing is claimed ahead if one of the next jobs was held by a process that died. If that job killed
  this process too, jobs that have not begun would share the blame.
]]
local claimant = ARGV[1] .. '/' .. ARGV[2]
local token = claimant .. '/' .. ARGV[3] .. ARGV[6]
local wanted, bound, atOnce = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])
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
if schema and tonumber(schema) > 1 then
  return { 'UPGRADE' }
end
local last = redis.call('HGET', claims, claimant)
local lastNumber = last and string.match(last, '^%d+')
if lastNumber and tonumber(lastNumber) > tonumber(ARGV[3]) then
  return { 'STALE' }
end

--#include now
local claimed, stored, positions = {}, {}, {}

-- Returns in how many milliseconds the first job is due.
local function untilDue(key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and math.max(0, first[2] - now) or math.huge
end

local function addPositions(id, known)
  if known and known ~= '' then
    positions[#positions + 1], positions[#positions + 2] = id, known
  end
end

local function answer(left, delay, withheld)
  return { 'OK', time[1] * 1000000 + time[2], delay < math.huge and delay or -1, left, withheld and 1 or 0,
    tonumber(seq or 0), claimed, stored, positions, tonumber(version or 0) }
end

if lastNumber == ARGV[3] then
  for id in string.gmatch(last, ' (%S+)') do
    if redis.call('HGET', working, id) == token then
      claimed[#claimed + 1], stored[#stored + 1] = id, redis.call('HGET', payloads, id)
      addPositions(id, string.match(redis.call('HGET', lockof, id) or '', '^%S+ %S+ (%S+)$'))
    end
  end
  return answer(redis.call('LLEN', ready), math.min(untilDue(scheduled), untilDue(retries)))
end

--#include fate
--#include set-all
local held = redis.call('HLEN', working)
local names, probe
if version then
  -- Only a queue that knows of a pause can have these fields.
  names, probe = unpack(hint('HMGET', meta, 'paused-jobs', 'probe') or {})
end
if paused then
  local pause, ends, mark = string.match(paused, '^(%d+) (%d+) ([p-])$')
  local rest = ends and ends ~= '0' and tonumber(ends) - now
  -- Removes nothing, but lets Redis accept the writes that follow even if its memory is full. If the
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
if wanted == 0 then
  -- As above: no job is removed.
  redis.call('HDEL', claims, '')
elseif probe then
  wanted, atOnce = 1, 1
end

-- How long a trial job holds up other jobs if its result stays unknown.
local PROBE_MILLIS = 60000

-- Parks a job if its name is paused, and returns whether the job was parked.
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

local delay, hasCrashes, hasSince = math.huge, false, false
if not isBare then
  --#include make-ready
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
  readyCount = redis.call('LLEN', ready)
  hasCrashes = source == ready and redis.call('EXISTS', crashes) == 1
  hasSince = redis.call('EXISTS', since) == 1
end

local started, running, passLock = {}, {}, nil
if hasLocks then
  --#include lock
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
    addPositions(id, known)
    return true
  end
end

local mostAhead, most = tonumber(ARGV[9]), tonumber(ARGV[10])
local tokens, count, bytes, asked, withheld = {}, 0, 0, 0, false
while count < wanted and asked < bound and bytes < most do
  -- Works in steps, so that large payloads are not read in vain: first a few jobs, and then as many as
  -- fit if payloads are about equal in size.
  local fit = count > 0 and math.ceil((most - bytes) * count / math.max(bytes, 1)) or asked > 0 and 100 or 16
  local step = math.min(wanted - count, bound - asked, wanted > atOnce and 100 or 1000, fit)
  -- Without a count, the removal of a single id takes less time.
  local ids = step == 1 and { redis.call('RPOP', source) } or redis.call('RPOP', source, step)
  if not ids or not ids[1] then
    break
  end
  local found = redis.call('HMGET', payloads, unpack(ids))
  local entries = hasLocks and redis.call('HMGET', lockof, unpack(ids)) or {}
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
      count = count + 1
      claimed[count], stored[count] = id, payload
      tokens[2 * count - 1], tokens[2 * count] = id, token
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
end

if #started > 0 then
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
setAll(working, tokens, held)
if probe and count > 0 then
  redis.call('HSET', meta, 'paused', string.format('%s %.0f p', probe, now + PROBE_MILLIS))
  redis.call('HDEL', meta, 'probe')
end
claimed[0] = ARGV[3]
redis.call('HSET', claims, claimant, table.concat(claimed, ' ', 0))
local left = readyCount - (source == ready and asked or 0)
if left > 0 then
  --#include wake
  wakeWorkers(1)
end
return answer(left, delay, withheld)
