-- keys: beats claims working payloads crashes cancelled meta stats
--[[
  Removes a process from a queue, because the process died or is leaving, and puts its jobs back into
  the queue. The oldest job goes to the very head of the queue.

  ARGV[1]  process
  ARGV[2]  the counter of the process as the caller last saw it, or '' if the process itself is leaving
  ARGV[3]  maximum number of jobs to move, up to 1,000
  ARGV[4]  number of crashes at which a job is dead, at least 1

  Returns {OK, moved, left, (id, claim, payload, crashes)*}: the number of jobs taken from the process,
  and the number of jobs it still holds. The listed jobs, up to 100, must not run again. These jobs stay
  where they are until the caller settles them as dead with their claims. crashes is the job's number of
  crashes, or 0 if it may run only once. The call has to be repeated until no jobs are left; the last
  call removes the process.
  Returns {ALIVE} if the counter has changed; {GONE} if the queue does not know the process.

  Unless the process was stopping or is leaving, a crash counts against each job that it held. After two
  crashes, or one crash fewer than the limit, a job has to run alone and is put among the suspects.
]]
if tonumber(ARGV[3]) > 1000 then
  return redis.error_reply('ERR recover moves at most 1000 jobs at once; nothing was changed')
end
local beat = redis.call('HGET', beats, ARGV[1])
if not beat then
  return { 'GONE' }
end
local leaving = ARGV[2] == ''
if not leaving and beat ~= 'FENCED' and beat ~= ARGV[2] then
  return { 'ALIVE' }
end

local prefix = ARGV[1] .. '/'
local holders = redis.call('HGETALL', working)
local ids, claimOf = {}, {}
for i = 1, #holders, 2 do
  local id, holder = holders[i], holders[i + 1]
  if string.sub(holder, 1, #prefix) == prefix then
    ids[#ids + 1] = id
    claimOf[id] = string.sub(holder, #prefix + 1)
  end
end
-- The last job comes first, so that the oldest job ends up at the very head.
table.sort(ids, function(one, other) return one > other end)
local state = redis.call('HGET', claims, prefix)
--#include now
local last = ' ' .. now .. ' ' .. ARGV[1]
local limit = tonumber(ARGV[4])
--#include fate
--#include end-locks

-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', beats, '')
redis.call('HSET', beats, ARGV[1], 'FENCED')

local answer, moved, counted, buried = { 'OK', 0, 0 }, 0, 0, 0
local returned, ended = {}, {}
for i = 1, #ids do
  local id, claim = ids[i], claimOf[ids[i]]
  local known = tonumber(string.match(hint('HGET', crashes, id) or '', '^%d+') or 0)
  local crashCount = (leaving or state == 'stopping') and known or known + 1
  local once = string.sub(claim, -1) == 'o'
  local payload = redis.call('HGET', payloads, id)
  if payload and (once or crashCount >= limit and crashCount > known) then
    if buried < 100 then
      local size = #answer
      answer[size + 1], answer[size + 2], answer[size + 3] = id, claim, payload
      answer[size + 4] = once and 0 or crashCount
      buried = buried + 1
    end
  elseif moved < tonumber(ARGV[3]) then
    moved = moved + 1
    redis.call('HDEL', working, id)
    if not payload then
      -- The job was cancelled while it was running, so it ends here.
      hint('SREM', cancelled, id)
      ended[#ended + 1] = id
    else
      if crashCount > known then
        counted = counted + 1
        local alone = crashCount >= 2 or crashCount == limit - 1
        hint('HSET', crashes, id, crashCount .. last .. (alone and ' alone' or ''))
      end
      returned[#returned + 1] = id
    end
  end
end
if hasGathered then
  --#include merge-payloads
  rejoin(returned)
  promote(ended)
end
-- Crashes may have been counted since these keys were read.
isBare = isBare and counted == 0
makeReady(returned, true)
endLocks(ended)
keepLocks(returned, true)
if moved > 0 then
  hint('HINCRBY', meta, 'seq', 1)
  hint('HINCRBY', stats, leaving and 'released' or 'recovered', moved)
  wakeWorkers(moved)
end
if counted > 0 then
  hint('HINCRBY', stats, 'crashed', counted)
end
if moved == #ids then
  redis.call('HDEL', beats, ARGV[1])
  for _, claimant in ipairs(redis.call('HKEYS', claims)) do
    if string.sub(claimant, 1, #prefix) == prefix then
      redis.call('HDEL', claims, claimant)
    end
  end
end
answer[2], answer[3] = moved, #ids - moved
return answer
