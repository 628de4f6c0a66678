--[[
  Takes a process out of a queue, because it died or because it leaves, and gives its jobs
  back.

  KEYS[1]   beats
  KEYS[2]   claims
  KEYS[3]   working
  KEYS[4]   ready
  KEYS[5]   payloads
  KEYS[6]   suspects
  KEYS[7]   crashes
  KEYS[8]   cancelled
  KEYS[9]   meta
  KEYS[10]  wake
  KEYS[11]  stats
  KEYS[12]  locks
  KEYS[13]  lockof
  KEYS[14]  again
  KEYS[15]  mutexes
  KEYS[16]  parked

  ARGV[1]  process
  ARGV[2]  the counter of the process that was observed, or '' if the process itself leaves
  ARGV[3]  number of jobs to move at most, up to 1,000
  ARGV[4]  number of crashes at which a job is dead, at least 1

  Returns {OK, moved, left, (id, claim, payload, crashes)*}. The jobs that are listed, up
  to 100, must not run again and stay where they are until they are buried by their claim:
  crashes tells how many of them the job has lived through, and is 0 for a job that may
  run once only. To be repeated until nothing is left; the call that leaves nothing removes
  the process.
  Returns {ALIVE} if the counter is another one by now. Nothing is written.
  Returns {GONE} if the queue does not know the process.

  The oldest job goes to the very head. A crash counts against the jobs that a process was
  running, unless it was stopping: then it is an interruption. If it was running a suspect,
  here or in another queue, the crash counts against that one alone.
]]
if tonumber(ARGV[3]) > 1000 then
  return redis.error_reply('ERR reclaim moves at most 1000 jobs at once; nothing was changed')
end
local beat = redis.call('HGET', KEYS[1], ARGV[1])
if not beat then
  return { 'GONE' }
end
local leaving = ARGV[2] == ''
if not leaving and beat ~= 'FENCED' and beat ~= ARGV[2] then
  return { 'ALIVE' }
end

local prefix = ARGV[1] .. '/'
local working = redis.call('HGETALL', KEYS[3])
local ids, claims, suspected = {}, {}, false
for i = 1, #working, 2 do
  if string.sub(working[i + 1], 1, #prefix) == prefix then
    ids[#ids + 1] = working[i]
    claims[working[i]] = string.sub(working[i + 1], #prefix + 1)
    suspected = suspected or string.find(working[i + 1], 's', -2, true) ~= nil
  end
end
-- The last one first, so that the oldest ends up at the very head.
table.sort(ids, function(one, other) return one > other end)
local state = redis.pcall('HGET', KEYS[2], prefix)
local time = redis.call('TIME')
local last = ' ' .. (time[1] * 1000 + math.floor(time[2] / 1000)) .. ' ' .. ARGV[1]
local limit = tonumber(ARGV[4])

-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', KEYS[4])
redis.call('HLEN', KEYS[5])
-- Without these, jobs are given back all the same.
local lane = type(redis.pcall('LLEN', KEYS[6])) == 'number'
local counting = type(redis.pcall('HLEN', KEYS[7])) == 'number'

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], ARGV[1], 'FENCED')
if suspected and not state then
  state = 'suspect'
  redis.pcall('HSET', KEYS[2], prefix, state)
end

local answer, moved, counted, buried = { 'OK', 0, 0 }, 0, 0, 0
local returned, ended = {}, {}
for i = 1, #ids do
  local id, claim = ids[i], claims[ids[i]]
  local marks = string.match(claim, '/%d+(%a*)$') or ''
  local stored = counting and redis.call('HGET', KEYS[7], id)
  local known = tonumber(string.match(stored or '0', '^%d+') or 0)
  local crashes = known
  if counting and not leaving and state ~= 'stopping' and (state ~= 'suspect' or string.find(marks, 's', 1, true)) then
    crashes = known + 1
  end
  local once = string.find(marks, 'o', 1, true)
  local payload = redis.call('HGET', KEYS[5], id)
  if payload and (once or crashes >= limit and crashes > known) then
    if buried < 100 then
      answer[#answer + 1] = id
      answer[#answer + 1] = claim
      answer[#answer + 1] = payload
      answer[#answer + 1] = once and 0 or crashes
      buried = buried + 1
    end
  elseif moved < tonumber(ARGV[3]) then
    moved = moved + 1
    redis.call('HDEL', KEYS[3], id)
    if not payload then
      -- Cancelled while it ran: it ends here.
      redis.pcall('SREM', KEYS[8], id)
      ended[#ended + 1] = id
    else
      if crashes > known then
        counted = counted + 1
        redis.call('HSET', KEYS[7], id, crashes .. last)
      end
      local suspect = lane and (crashes >= 2 or crashes > 0 and crashes == limit - 1)
      local target = suspect and KEYS[6] or KEYS[4]
      redis.call('RPUSH', target, id)
      returned[#returned + 1] = id
    end
  end
end
--#include locks
local at = {
  locks = KEYS[12], lockof = KEYS[13], again = KEYS[14], mutexes = KEYS[15], parked = KEYS[16],
  payloads = KEYS[5], ready = KEYS[4], wake = KEYS[10], meta = KEYS[9],
}
if moved > 0 and redis.pcall('HLEN', KEYS[13]) ~= 0 then
  leaveLocks(at, ended, returned, true)
end

if moved > 0 then
  redis.pcall('HINCRBY', KEYS[9], 'seq', 1)
  if leaving then
    redis.pcall('HINCRBY', KEYS[11], 'released', moved)
  else
    redis.pcall('HINCRBY', KEYS[11], 'recovered', moved)
  end
  if counted > 0 then
    redis.pcall('HINCRBY', KEYS[11], 'crashed', counted)
  end
  wakeWorkers(at, moved)
end
if moved == #ids then
  redis.call('HDEL', KEYS[1], ARGV[1])
  for _, claimant in ipairs(redis.pcall('HKEYS', KEYS[2])) do
    if string.sub(claimant, 1, #prefix) == prefix then
      redis.call('HDEL', KEYS[2], claimant)
    end
  end
end
answer[2], answer[3] = moved, #ids - moved
return answer
