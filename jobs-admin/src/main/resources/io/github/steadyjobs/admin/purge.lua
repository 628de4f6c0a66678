-- keys: ready suspects parked cancelled since meta
--[[
  Deletes the first jobs in one place, or random parked jobs. Jobs that are being moved elsewhere stay.

  ARGV[1]  producer and slot; see numbered.lua
  ARGV[2]  number of this call
  ARGV[3]  the place: 'ready', 'suspects', 'scheduled', 'retries', 'dead' or 'parked'
  ARGV[4]  maximum number of jobs to delete, at most 1,000

  Returns the number of deleted jobs and the number of jobs left, joined by ' '. Jobs that had been
  cancelled before do not count as deleted.
]]
local place, wanted = ARGV[3], tonumber(ARGV[4])
if not (wanted <= 1000) then
  return redis.error_reply('ERR purge deletes at most 1000 jobs at once; nothing was changed')
end
--#include numbered
--#include fate
redis.call('SCARD', cancelled)
--#include waiting-locks
--#include parking
--#include drop-backlog
local ids, left = {}, 0
if place == 'ready' or place == 'suspects' then
  local key = place == 'ready' and ready or suspects
  ids = redis.call('RPOP', key, wanted) or {}
  left = redis.call('LLEN', key)
  hint('HDEL', since, '', unpack(ids))
  hint('SREM', cancelled, '', unpack(ids))
elseif sorted[place] then
  local key = sorted[place]
  ids = redis.call('ZRANGE', key, 0, wanted - 1)
  redis.call('ZREM', key, '', unpack(ids))
  left = redis.call('ZCARD', key)
else
  -- Takes random jobs, because a scan from the beginning finds only gaps after many deletions.
  local found = redis.call('HRANDFIELD', parked, wanted, 'WITHVALUES')
  for i = 1, #found, 2 do
    -- A job that is being moved to another queue may already be in that queue.
    if isOwn(found[i], found[i + 1]) then
      ids[#ids + 1] = found[i]
    end
  end
  redis.call('HDEL', parked, '', unpack(ids))
  left = redis.call('HLEN', parked)
end
if #ids == 0 then
  return answered('0 ' .. left)
end
dropBacklogs(ids)
hint('HINCRBY', meta, 'seq', 1)
return answered(endWaiting(ids, place) .. ' ' .. left)
