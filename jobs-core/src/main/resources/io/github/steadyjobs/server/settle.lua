-- keys: working payloads retries dead parked lockof gathered crashes cancelled meta stats
--[[
  Ends jobs that a process holds, or moves them to the place where they continue.

  ARGV[1]  process
  ARGV[2]  goal, under which the jobs are counted
  ARGV[3]  number of jobs, at most 500; 1 if the goal takes arguments
  ARGV[4…] for each claim that holds some of the jobs: capsule and number of the claim, joined by '/';
           the number of these jobs; and their ids. Then the arguments of the goal: a payload to store,
           or '' to keep the stored payload; and two more arguments

  The goals done, expired and discarded end jobs. released puts jobs back at the head of the queue,
  oldest first; unbegun does the same in the given order. failed, putoff and snoozed retry jobs; the two
  arguments are the delay in milliseconds, and the name of another queue or '' for this queue. parked
  and paused park jobs; the two arguments are the reason and the version of the pauses. dead keeps jobs
  as dead jobs; the two arguments are the maximum number of dead jobs and their maximum age in
  milliseconds. If only one payload of an ordered job is dead or discarded, two more arguments follow:
  the id under which the dead payload is kept, '' if it is discarded; and the job to store with the other
  payloads. That job continues at once and without its failures.

  Returns a letter per job, or a single D if all jobs are done: D if done; C if the job was cancelled
  while it was running and has ended; A if it was settled before, because an earlier answer was lost; S
  (stale) if another claim holds the job. Nothing is written for A and S. For a job that is being moved
  to another queue, returns {D, begun, place, time, lock}, as in move-out.lua.

  A job that was running when a process died is retried in this queue, because only this queue knows of
  the crash. A worker may know of a pause before the queue does, or not know of its end yet. So if the
  queue knows the given version of the pauses or a later version, and does not pause the job, the goal
  paused puts the job back at the head of the queue.
]]
if ARGV[2] == 'done' and ARGV[3] == '1' then
  -- Most jobs end like this: alone, and Redis stores nothing else about them.
  local id = ARGV[6]
  if redis.call('HGET', working, id) == ARGV[1] .. '/' .. ARGV[4]
      and redis.call('EXISTS', crashes, lockof, gathered) == 0 then
    --#include hint
    if redis.call('HDEL', payloads, id) == 0 then
      -- A job without a payload was cancelled while it was running.
      hint('SREM', cancelled, id)
    end
    redis.call('HDEL', working, id)
    hint('HINCRBY', meta, 'seq', 1)
    hint('HINCRBY', stats, 'done', 1)
    return 'D'
  end
end
local goal, count = ARGV[2], tonumber(ARGV[3])
local ids, tokens, found, from = {}, {}, 0, 4
while found < count do
  local token, last = ARGV[1] .. '/' .. ARGV[from], from + 1 + ARGV[from + 1]
  for i = from + 2, last do
    found = found + 1
    ids[found], tokens[found] = ARGV[i], token
  end
  from = last + 1
end
if found > 500 then
  return redis.error_reply('ERR settle takes at most 500 jobs at once; nothing was changed')
end
local payload, first, second, deadId, rest = unpack(ARGV, from)
local holders = redis.call('HMGET', working, unpack(ids))
local letters, held, others = {}, ids, 0
for i = 1, found do
  if holders[i] ~= tokens[i] then
    letters[i], others = holders[i] and 'S' or 'A', others + 1
  end
end
if deadId and deadId ~= '' and redis.call('ZSCORE', dead, deadId) then
  -- An earlier copy of this call was carried out. Another claim may hold the rest of the job by now, so
  -- the answer below could be S.
  return 'A'
elseif others == found then
  return table.concat(letters)
elseif others > 0 then
  held = {}
  for i, id in ipairs(ids) do
    held[#held + 1] = not letters[i] and id or nil
  end
end
--#include hint
if goal == 'done' and others == 0 and redis.call('EXISTS', crashes, lockof, gathered) == 0 then
  -- As above, but for several jobs.
  if redis.call('HDEL', payloads, unpack(held)) < #held then
    -- Jobs without a payload were cancelled while they were running.
    hint('SREM', cancelled, unpack(held))
  end
  redis.call('HDEL', working, unpack(held))
  hint('HINCRBY', meta, 'seq', 1)
  hint('HINCRBY', stats, goal, #held)
  return 'D'
end

--#include fate
--#include wake
--#include now
local place = ({ released = 'ready', unbegun = 'ready', failed = 'retries', putoff = 'retries',
  snoozed = 'retries', parked = 'parked', paused = 'parked', dead = 'dead' })[goal]
local isOver, due = not place or place == 'dead', place == 'retries' and now + first
if rest then
  -- The ordered job may have other payloads left.
  place = string.find(rest, '\n.') and 'ready' or nil
elseif goal == 'dead' then
  redis.call('ZCARD', dead)
elseif goal == 'paused' then
  --#include paused-names
  local version, names = unpack(hint('HMGET', meta, 'pauses', 'paused-jobs') or {})
  local pause = readPauses(names)[pausedName(first)]
  if tonumber(version or 0) >= tonumber(second) and not (pause and not hasEnded(pause, now)) then
    place, goal = 'ready', nil
  end
end

-- The last job comes first, so that the first job ends up at the very head.
local areCancelled = goal ~= 'done' and hint('SMISMEMBER', cancelled, unpack(ids)) or {}
local ended, kept, counted = {}, {}, 0
for i = found, 1, -1 do
  if not letters[i] then
    letters[i] = areCancelled[i] == 1 and 'C' or 'D'
    local list = place and letters[i] == 'D' and kept or ended
    list[#list + 1] = ids[i]
    if letters[i] == 'D' or due then
      counted = counted + 1
    end
  end
end
if goal == 'released' then
  table.sort(kept, function(one, other) return one > other end)
end
if #ended > 0 and redis.call('HDEL', payloads, unpack(ended)) < #ended then
  hint('SREM', cancelled, unpack(ended))
end
redis.call('HDEL', working, unpack(held))
local seq = hint('HINCRBY', meta, 'seq', 1)
if goal and counted > 0 then
  hint('HINCRBY', stats, goal, counted)
end
if isOver and not isBare then
  hint('HDEL', crashes, unpack(held))
end
if goal == 'dead' and counted > 0 then
  --#include trim
  local buried = deadId or held[1]
  if payload ~= '' then
    redis.call('HSET', payloads, buried, payload)
  end
  redis.call('ZADD', dead, string.format('%.0f', now), buried)
  trimDead(now, tonumber(first), tonumber(second))
end

local only, stored, way = kept[1], rest or payload, nil
if only and stored and stored ~= '' and place ~= 'dead' then
  redis.call('HSET', payloads, only, stored)
end
if hasGathered then
  --#include merge-payloads
  if place ~= 'dead' then
    rejoin(kept)
  end
  promote(ended)
end
if place == 'ready' then
  --#include make-ready
  makeReady(kept, not rest)
  wakeWorkers(#kept)
elseif only and place == 'retries' and second and hint('HEXISTS', crashes, only) ~= 1 then
  --#include parking
  way = { time[1] .. string.format('%06d', time[2]), 'retries', string.format('%.0f', due) }
  depart(only, second, 'retries', way[3], way[1], seq)
elseif only and place == 'retries' then
  redis.call('ZADD', retries, string.format('%.0f', due), only)
  if redis.call('ZRANGE', retries, 0, 0)[1] == only then
    -- A worker that sleeps until the previously earliest job is due must check again.
    wakeWorkers(1)
  end
elseif only and place == 'parked' then
  redis.call('HSET', parked, only, first)
  if goal == 'parked' then
    --#include parking
    noteReason(seq, first)
  end
end
if hasLocks then
  --#include end-locks
  if place == 'dead' then
    endLocks(kept)
  else
    keepLocks(kept, place == 'ready', due)
  end
  endLocks(ended)
end
if way then
  return { 'D', way[1], way[2], way[3], redis.call('HGET', lockof, only) or '' }
end
local text = table.concat(letters)
return string.find(text, '[^D]') and text or 'D'
