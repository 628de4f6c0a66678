-- keys: parked meta dead cancelled
--[[
  Searches one page of the parked jobs of a queue. Jobs whose reason no longer holds go to the head of
  the queue. Jobs whose move to another queue was interrupted go back to where they were.

  ARGV[1]  cursor: '0' on the first call, then the cursor that the previous call returned
  ARGV[2]  size of the page, at most 1,000
  ARGV[3…] the reasons that do not hold for the caller, as given when jobs were parked. Of these,
           'unbound:<name>/<signature>' stands for all reasons that begin with 'unbound:<name>/' and do
           not list that signature; without a signature, for all reasons with that beginning. Also
           'tried:<name>' for each name that previous calls of the same search have returned

  Returns {cursor, moved, back, wait, names}. The cursor is '0' after the last page. moved is the number
  of jobs that are ready again, and back the number of interrupted moves. wait is the number of
  milliseconds until the oldest move under way counts as interrupted, or -1. names lists the paused job
  names for each of which one trial job is now ready.

  The end of a pause or a move wakes workers, because the queue itself knows of that end. Other reasons
  wake no workers: a woken worker might be the one that parked the jobs, and would park them again.
]]
local size = tonumber(ARGV[2])
local UNBOUND = '^(unbound:.*/)([^/]*)$'
local gone, signatures = {}, {}
for i = 3, #ARGV do
  local start, signature = string.match(ARGV[i], UNBOUND)
  if start then
    signatures[start] = signature
  else
    gone[ARGV[i]] = true
  end
end
--#include paused-names
--#include parking
local known = hint('HGET', meta, 'paused-jobs')
local byName = known ~= nil and readPauses(known)
local oldest = {}

-- Returns whether a job that is parked for a pause may continue, as far as the queue knows.
local function isFree(id, name)
  local pause = byName and byName[name]
  if not pause or not hasEnded(pause, now) then
    return byName and not pause
  end
  if pause.mark == 'p' and not gone['tried:' .. name] and (not oldest[name] or id < oldest[name]) then
    oldest[name] = id
  end
  return pause.mark ~= 'p'
end

local function isGone(reason)
  local start, tried = string.match(reason, UNBOUND)
  local own = start and signatures[start]
  return gone[reason] or own == '' or own and not string.find(tried, own, 1, true)
end

local page
if ARGV[1] == '0' and redis.call('HLEN', parked) <= size then
  -- HSCAN might still return several pages, and jobs are sorted only within a page.
  page = { '0', redis.call('HGETALL', parked) }
else
  page = redis.call('HSCAN', parked, ARGV[1], 'COUNT', size)
end
--#include fate
--#include end-locks
local ids, back, wait, woken = {}, {}, -1, 0
for i = 1, #page[2], 2 do
  local id, reason = page[2][i], page[2][i + 1]
  local target, place, at, begun = readMove(reason)
  local paused = pausedName(reason)
  if target and isUnderWay(reason) then
    local left = math.max(1, math.ceil(10000 + begun / 1000 - now))
    wait = wait < 0 and left or math.min(wait, left)
  elseif target then
    back[#back + 1] = { id, place, at }
  elseif paused and isFree(id, paused) then
    ids[#ids + 1] = id
    woken = woken + 1
  elseif isGone(reason) then
    ids[#ids + 1] = id
  end
end
local names = {}
for name, id in pairs(oldest) do
  ids[#ids + 1], names[#names + 1] = id, name
  woken = woken + 1
end
if #back > 0 then
  redis.call('ZCARD', dead)
  redis.call('SCARD', cancelled)
end
for _, move in ipairs(back) do
  if moveBack(unpack(move)) == 'ready' then
    ids[#ids + 1] = move[1]
  end
end
-- The last job comes first, so that the oldest job ends up at the very head.
table.sort(ids, function(one, other) return one > other end)
-- Works in steps, because Redis may return more jobs than the size of a page.
for from = 1, #ids, 1000 do
  local step = { unpack(ids, from, math.min(from + 999, #ids)) }
  redis.call('HDEL', parked, unpack(step))
  makeReady(step, true)
  keepLocks(step, true)
end
wakeWorkers(woken + #back)
return { page[1], #ids, #back, wait, names }
