-- keys: beats meta claims working ready payloads scheduled retries since cancelled suspects stats locks lockof mutexes parked crashes
--[[
  Gives ready jobs to a capsule, after making those ready that are due.

  ARGV[1]  process
  ARGV[2]  capsule
  ARGV[3]  number of this claim, one more than that of the capsule's previous claim
  ARGV[4]  number of jobs wanted, 1 to 1,000
  ARGV[5]  number of ids that may be moved in one step, at least as many, at most 1,000
  ARGV[6]  mark to be put on the token: 'o' if the jobs must not run a second time, or ''
  ARGV[7]  '1' to get a suspect, which is one job at most; '0' otherwise
  ARGV[8]  number of jobs wanted that begin at once, 0 to ARGV[4]; the others are claimed
           ahead

  Returns {OK, now, delay, left, seq, {(id, positions)*}, (id, payload)*}: Redis time,
  milliseconds until the next job is due or -1, the number of jobs that are still ready, the
  number of changes of the data set, and how new the data must be that a job reads. The same
  number gives the same jobs again, as far as that claim still holds them: its reply was
  lost, or this is a late copy. A job that was cancelled since then has no payload. It may be
  running, so it is not ended here; if it is not running, it must be acknowledged instead of
  run.
  Returns {PAUSED, now} if the queue gives out nothing.
  Returns {STALE} if a later claim was carried out: nobody waits for this one.
  Returns {FENCED} if the process has not joined the queue or was taken for dead.
  Returns {UPGRADE} if a newer version of this library has changed the queue's layout.

  Nothing is claimed ahead where one of the next jobs was held by a process that died:
  should it kill this one too, jobs that had not begun would share the blame.

  A job that is deduplicated until it starts gives up its lock here. One that must not run
  beside an equal one is parked while that one runs.

  The first write is a removal, which Redis accepts when its memory is full, and what
  follows it is let through: a full Redis can be worked empty. A key of a wrong type that
  only a part of the work needs costs only that part.
]]
local claimant = ARGV[1] .. '/' .. ARGV[2]
local token = claimant .. '/' .. ARGV[3] .. ARGV[6]
local wanted, bound = tonumber(ARGV[4]), tonumber(ARGV[5])
local source = ARGV[7] == '1' and suspects or ready
if not (wanted <= 1000 and bound <= 1000) then
  return redis.error_reply('ERR claim gives at most 1000 jobs at once; nothing was changed')
end

local beat = redis.call('HGET', beats, ARGV[1])
if not beat or beat == 'FENCED' then
  return { 'FENCED' }
end
local schema, paused, seq = unpack(redis.pcall('HMGET', meta, 'schema', 'paused', 'seq'))
if schema and tonumber(schema) > 1 then
  return { 'UPGRADE' }
end
local last = redis.call('HGET', claims, claimant)
local lastNumber = last and string.match(last, '^%d+')
if lastNumber and tonumber(lastNumber) > tonumber(ARGV[3]) then
  return { 'STALE' }
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local readyCount = redis.call('LLEN', ready)
if source == suspects then
  wanted = math.min(1, wanted, redis.call('LLEN', suspects))
end
local positions = {}
local answer = { 'OK', now, -1, readyCount, tonumber(seq or 0), positions }
local hasLocks = redis.pcall('HLEN', lockof) ~= 0

local function give(id, payload, lock)
  answer[#answer + 1] = id
  answer[#answer + 1] = payload
  local known = string.match(lock or '', '^%S+ %S+ (%S+)$')
  if known then
    positions[#positions + 1] = id
    positions[#positions + 1] = known
  end
end

local function untilDue(key)
  local first = redis.pcall('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and math.max(0, tonumber(first[2]) - now)
end

local function leastOf(one, other)
  return one and other and math.min(one, other) or one or other or -1
end

if lastNumber == ARGV[3] then
  for id in string.gmatch(last, ' (%S+)') do
    if redis.call('HGET', working, id) == token then
      local lock = hasLocks and redis.pcall('HGET', lockof, id)
      give(id, redis.call('HGET', payloads, id), type(lock) == 'string' and lock)
    end
  end
  answer[3] = leastOf(untilDue(scheduled), untilDue(retries))
  return answer
end

if paused then
  -- A removal of nothing, for a full Redis.
  redis.call('HDEL', claims, '')
  redis.call('HSET', claims, claimant, ARGV[3])
  return { 'PAUSED', now }
end

--#include make-ready
local function moveDue(key, due)
  if due ~= 0 then
    return due
  end
  local found = redis.call('ZRANGE', key, '-inf', now, 'BYSCORE', 'LIMIT', 0, bound, 'WITHSCORES')
  local ids, times = {}, {}
  for i = 1, #found, 2 do
    ids[#ids + 1] = found[i]
    times[#times + 1] = found[i]
    times[#times + 1] = found[i + 1]
  end
  redis.call('ZREM', key, unpack(ids))
  makeReady(ids, false)
  readyCount = redis.call('LLEN', ready)
  redis.pcall('HSET', since, unpack(times))
  return untilDue(key)
end

local scheduledDue, retryDue = untilDue(scheduled), untilDue(retries)
if readyCount > 0 or source == suspects or scheduledDue == 0 or retryDue == 0 then
  -- Read before the first write: an id that was popped and cannot be recorded is lost.
  redis.call('HLEN', working)
  redis.call('HLEN', payloads)
end
scheduledDue = moveDue(scheduled, scheduledDue)
answer[3] = leastOf(scheduledDue, moveDue(retries, retryDue))

if source == ready and readyCount == 0 then
  wanted = 0
end
local atOnce = tonumber(ARGV[8])
if source == ready and wanted > atOnce and redis.call('EXISTS', crashes) == 1 then
  for _, crash in ipairs(redis.pcall('HMGET', crashes, unpack(redis.call('LRANGE', ready, -wanted, -1)))) do
    wanted = crash and math.min(wanted, atOnce) or wanted
  end
end
local claimed, tokens, asked, left = {}, {}, 0, readyCount
local started, running = {}, {}

-- Takes the mutex, or parks the job until the one that has it no longer runs.
local function enterMutex(id, digest)
  local known = redis.pcall('ZRANGE', mutexes, '[' .. digest .. '=', '(' .. digest .. '>', 'BYLEX', 'LIMIT', 0, 1)
  local holder = known[1] and string.sub(known[1], #digest + 2)
  if holder and (running[holder] or redis.call('HEXISTS', working, holder) == 1) then
    if redis.pcall('HSET', parked, id, 'mutex:' .. digest) == 1 then
      redis.call('ZADD', mutexes, 0, digest .. ':' .. id)
      return false
    end
  elseif not known.err then
    redis.call('ZREM', mutexes, known[1] or '', digest .. ':' .. id)
    redis.call('ZADD', mutexes, 0, digest .. '=' .. id)
  end
  return true
end

while #claimed < wanted and asked < bound do
  local count = math.min(wanted - #claimed, bound - asked)
  asked = asked + count
  local ids = redis.call('RPOP', source, count)
  if not ids then
    break
  end
  if source == ready then
    left = left - #ids
  end
  local stored = redis.call('HMGET', payloads, unpack(ids))
  local found = hasLocks and redis.pcall('HMGET', lockof, unpack(ids)) or {}
  for i, id in ipairs(ids) do
    if stored[i] then
      local kind, digest = string.match(found[i] or '', '^(%a)%x+ (%S+)')
      if kind ~= 'm' or enterMutex(id, digest) then
        claimed[#claimed + 1] = id
        tokens[#tokens + 1] = id
        tokens[#tokens + 1] = token
        running[id] = true
        if kind == 'u' then
          started[#started + 1] = digest
        end
        give(id, stored[i], found[i])
      end
    elseif redis.pcall('SREM', cancelled, id) ~= 1 then
      redis.pcall('HINCRBY', stats, 'dropped', 1)
    end
  end
  if redis.call('EXISTS', since) == 1 then
    redis.pcall('HDEL', since, unpack(ids))
  end
end

if #started > 0 then
  local over = {}
  for i, lock in ipairs(redis.pcall('HMGET', locks, unpack(started))) do
    if running[string.sub(lock or '', 1, 24)] then
      over[#over + 1] = started[i]
    end
  end
  if #over > 0 then
    redis.call('HDEL', locks, unpack(over))
  end
end
if #claimed > 0 then
  redis.call('HSET', working, unpack(tokens))
  redis.call('HSET', claims, claimant, ARGV[3] .. ' ' .. table.concat(claimed, ' '))
else
  -- A removal of nothing, for a full Redis.
  redis.call('HDEL', claims, '')
  redis.call('HSET', claims, claimant, ARGV[3])
end
answer[4] = left
if left > 0 then
  --#include wake
  leaveTokens(1)
end
return answer
