-- keys: calls meta payloads ready scheduled working gathered cancelled suspects backlog backlogged
--[[
  Stores payloads of ordered jobs. Each payload joins the payloads that wait for its key or, while the
  job of its key is running, waits for the next run. A job that waits keeps its due time and its
  failures. Of several equal payloads, the payload with the smallest score is kept. What does not fit
  into the stored job of a key goes to the backlog of the key; see backlog.lua.

  ARGV[1]  producer and slot, joined by '/'
  ARGV[2]  number of this call, greater than the number of the previous call of the slot
  ARGV[3]  number of jobs, 1 to 1,000
  ARGV[4]  version of the shard count with which the producer chose this shard
  ARGV[5]  maximum number of payloads that wait for a key
  ARGV[6…] for each job: the id of its key; its envelope, a newline, its score or '' for the current
           time, ' ', its arguments, and a newline; its delay in milliseconds or ''

  Returns a letter per job, or a single S if all have the letter S: S if it was stored for a key without
  payloads; M if it was merged with payloads that are waiting or running; F if it was refused, because
  more payloads would wait for its key than ARGV[5], or more than 64 MB. If ARGV[5] is 1,000 or less,
  payloads that are running count too, and the limit is 1 MB.
  Returns the stored answer, STALE, OTHER or UPGRADE as enqueue.lua does; MOVED and a version if nothing
  was stored because the shard count has changed. Redis refuses the call if its memory is full.
]]
local count, limit = tonumber(ARGV[3]), tonumber(ARGV[5])
if count > 1000 or #ARGV ~= 5 + 3 * count then
  return redis.error_reply('ERR gather takes id, payload and delay of at most 1000 jobs; nothing was changed')
end
-- All jobs of a key have the same id, so ids do not distinguish calls.
local firstJob = redis.sha1hex(string.sub(ARGV[7], 1, 2000))
--#include begin-call
local version = redis.call('HGET', meta, 'shards')
if version and tonumber(version) > tonumber(ARGV[4]) then
  return 'MOVED ' .. version
end
--#include merge-backlog
-- The current time in milliseconds, with microseconds after the point, so that payloads sort by arrival.
local present = string.format('%.0f.%03d', now, time[2] % 1000)

local ids, places = {}, {}
for i = 1, count do
  local id = ARGV[3 + 3 * i]
  if not places[id] then
    ids[#ids + 1] = id
    places[id] = #ids
  end
end
local holders = redis.call('HMGET', working, unpack(ids))
local hasMore = redis.call('EXISTS', gathered, backlogged) > 0
local hasGathered = hasMore and redis.call('EXISTS', gathered) == 1
local stored, waiting, backlogs = {}, {}, {}
if not hasMore or redis.call('EXISTS', backlogged) == 0 then
  stored = redis.call('HMGET', payloads, unpack(ids))
  waiting = hasGathered and redis.call('HMGET', gathered, unpack(ids)) or {}
else
  redis.call('ZCARD', backlog)
  for place, entry in ipairs(redis.call('HMGET', backlogged, unpack(ids))) do
    local id, key = ids[place], holders[place] and gathered or payloads
    backlogs[place] = readBacklog(id, entry)
    -- The front of a key with a backlog is not read, because it may be large.
    if not (backlogs[place] and redis.call('HEXISTS', key, id) == 1) then
      stored[place] = redis.call('HGET', payloads, id)
      waiting[place] = hasGathered and redis.call('HGET', gathered, id)
    else
      backlogs[place].isOpen = true
    end
  end
end
local heads, lines, delays, letters, offers, offered = {}, {}, {}, {}, {}, {}
for i = 1, count do
  local id, payload, delay = ARGV[3 + 3 * i], ARGV[4 + 3 * i], ARGV[5 + 3 * i]
  local place = places[id]
  local head = headOf(payload)
  local space = string.find(payload, ' ', head + 1, true)
  local score = space == head + 1 and present or string.sub(payload, head + 1, space - 1)
  local text = string.sub(payload, space)
  local known, kept = lines[place], backlogs[place]
  if not known then
    known = readLines(holders[place] and (waiting[place] or '') or stored[place])
    known.running = holders[place] and readLines(stored[place])
    lines[place] = known
  end
  if not (kept and kept.isOpen) and known.stored == '' and #known.texts == 0 then
    heads[place] = string.sub(payload, 1, head)
    addLine(known, score, text)
    if holders[place] then
      heads[place] = string.format('%.0f ', now + (tonumber(delay) or 0)) .. heads[place]
      letters[i] = 'M'
    else
      delays[place] = delay
      letters[i] = 'S'
    end
  else
    if not kept and (known.scores[text] or hasRoom(known, score, text, limit)) then
      addLine(known, score, text)
      letters[i] = 'M'
    elseif not (kept or mayBegin(limit)) then
      letters[i] = 'F'
    else
      kept = kept or beginBacklog(id, string.sub(payload, 1, head))
      backlogs[place] = kept
      offers[#offers + 1], offered[#offered + 1] = { kept, score, text }, i
    end
  end
end
for i, isStored in ipairs(#offers > 0 and offerAll(offers, limit) or {}) do
  letters[offered[i]] = isStored and 'M' or 'F'
end

-- Read before the first write, so that a key of a wrong type does not leave the call half done.
redis.call('LLEN', ready)
local earliest = redis.call('ZRANGE', scheduled, 0, 0)[1]
local hasCancelled = redis.call('SCARD', cancelled) > 0
if hasCancelled then
  redis.call('LLEN', suspects)
end
local waitingJobs, runningJobs, newReady, newScheduled, revived, others = {}, {}, {}, {}, {}, 0
for place, id in ipairs(ids) do
  if lines[place].isChanged then
    local jobs = holders[place] and runningJobs or waitingJobs
    jobs[#jobs + 1], jobs[#jobs + 2] = id, writeLines(lines[place], heads[place])
  end
  if delays[place] then
    local stands = hasCancelled and redis.call('SISMEMBER', cancelled, id) == 1
    if stands then
      revived[id], others = delays[place], others + 1
    end
    if delays[place] ~= '' then
      newScheduled[#newScheduled + 1] = string.format('%.0f', now + tonumber(delays[place]))
      newScheduled[#newScheduled + 1] = id
    elseif not stands then
      newReady[#newReady + 1] = id
    end
  end
end

if #waitingJobs > 0 then
  redis.call('HSET', payloads, unpack(waitingJobs))
end
if #runningJobs > 0 then
  redis.call('HSET', gathered, unpack(runningJobs))
end
if #offers > 0 then
  writeBacklogs()
end
if version ~= ARGV[4] then
  redis.call('HSET', meta, 'shards', ARGV[4])
  -- Keys may come from other shards, and the number that fences their runs must not decrease.
  local seq, micros = redis.call('HGET', meta, 'seq'), time[1] .. string.format('%06d', time[2])
  if seq and tonumber(seq) < tonumber(micros) then
    redis.call('HSET', meta, 'seq', micros)
  end
end
-- A cancelled job still has its entry in the place where it waited, and continues from there.
for id, delay in pairs(revived) do
  redis.call('SREM', cancelled, id)
  if delay ~= '' then
    -- Only these jobs are searched for in the lists, because searching a long list is slow.
    redis.call('LREM', ready, 1, id)
    redis.call('LREM', suspects, 1, id)
  end
end
local answer = table.concat(letters)
if not string.find(answer, '[^S]') then
  answer = 'S'
end
--#include put-new
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
