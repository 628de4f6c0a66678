-- keys: payloads working ready dead crashes cancelled meta stats backlogged
--[[
  Changes jobs that are not running: makes them ready, moves them to the dead set or deletes them. If a
  job is deleted from a list, its id stays there without a payload, like the id of a cancelled job. A
  dead job that is made ready keeps the record of its failures. The job is tried once, and dies again if
  it fails.

  ARGV[1]  producer and slot, '' for a call without a number; see numbered.lua
  ARGV[2]  number of this call, or ''
  ARGV[3]  goal: 'head' or 'end' to put the jobs at that end of the queue, in order; 'dead'; or 'deleted'
  ARGV[4]  the place where the jobs are: 'ready', 'suspects', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[5]  number of jobs, at most 500
  ARGV[6…] ids; only one id if the job is taken out of a list
  then     for 'dead': the maximum number of dead jobs, and their maximum age in milliseconds. If only
           the first payload of an ordered job dies, four more arguments: the SHA-1 of the stored job,
           in hex; the id under which the payload is kept; the job with that payload alone; and the job
           with the other payloads and without its failures, or '' if there are no other payloads
           except those in the backlog of the key (see backlog.lua). The other payloads continue at
           once, unless the job was scheduled

  Returns a letter per job: D if done; A if the job is no longer in that place, is running or has
  changed; G if there is no such job: it has ended, or was cancelled and only its id is left in a list.
]]
local goal, place, last = ARGV[3], ARGV[4], 5 + ARGV[5]
if last > 505 then
  return redis.error_reply('ERR change takes at most 500 jobs at once; nothing was changed')
end
--#include numbered
--#include take-out
--#include waiting-locks
--#include trim
local most, age, digest, deadId, payload, rest = unpack(ARGV, last + 1)
local kept, takeRest
if digest then
  --#include merge-backlog
  kept = rest == '' and readBacklog(ARGV[6], redis.call('HGET', backlogged, ARGV[6]))
  if kept and membersOf(kept.number, 1)[1] then
    takeRest = takeFirst
  end
end
local goesOn = rest and rest ~= '' or takeRest ~= nil
local inList = place == 'ready' or place == 'suspects'
local stays = goal == 'deleted' and inList or goesOn and (place == 'ready' or place == 'scheduled')
if goal == 'deleted' or digest then
  redis.call('HLEN', working)
end
if goal == 'deleted' then
  redis.call('SCARD', cancelled)
end
--#include drop-backlog

local letters, ids = {}, {}
for i = 6, last do
  local id = ARGV[i]
  local exists = redis.call('HEXISTS', payloads, id) == 1
  local isThere = (exists or goal == 'deleted')
    and (not digest or redis.sha1hex(redis.call('HGET', payloads, id)) == digest)
  if isThere and stays then
    isThere = locate(id) == (inList and 'ready' or place)
  elseif isThere then
    isThere = takeOut(id, place)
  end
  letters[#letters + 1] = isThere and 'D' or exists and 'A' or 'G'
  if isThere then
    -- For 'head', the last job is pushed first, so that the first job ends up at the very head.
    table.insert(ids, goal == 'head' and 1 or #ids + 1, id)
  end
end
if #ids == 0 then
  return answered(table.concat(letters))
end

if goal == 'deleted' then
  endWaiting(ids, place)
  dropBacklogs(ids)
  if stays then
    redis.call('SADD', cancelled, unpack(ids))
  end
elseif goal == 'dead' then
  if deadId then
    -- Even if this removes nothing, a full Redis then accepts the writes that follow.
    redis.call('HDEL', payloads, goesOn and '' or ids[1])
    redis.call('HSET', payloads, deadId, payload)
  end
  if goesOn then
    redis.call('HSET', payloads, ids[1], takeRest and takeRest(kept) or rest)
  end
  if goesOn and not stays then
    redis.call('LPUSH', ready, ids[1])
    wakeWorkers(1)
  end
  for _, id in ipairs(deadId and { deadId } or ids) do
    redis.call('ZADD', dead, string.format('%.0f', now), id)
  end
  hint('HDEL', crashes, unpack(ids))
  hint('HINCRBY', stats, 'dead', #ids)
  endLocks(ids)
  trimDead(now, tonumber(most), tonumber(age))
else
  makeReady(ids, goal == 'head')
  keepLocks(ids, true)
  if place == 'dead' then
    hint('HINCRBY', stats, 'revived', #ids)
  end
  wakeWorkers(#ids)
end
hint('HINCRBY', meta, 'seq', 1)
return answered(table.concat(letters))
