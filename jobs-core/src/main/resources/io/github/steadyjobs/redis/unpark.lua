-- keys: parked ready lockof
--[[
  Puts parked jobs back to the head of their queue, one page of the parked ones a call. Those whose
  move to another queue was broken off go back to where they were.

  ARGV[1]  cursor: '0' at first, then what the call before returned
  ARGV[2]  size of the page, at most 1,000
  ARGV[3…] the reasons that no longer hold; 'unbound:<name>/<signature>' stands for all
           that begin with 'unbound:<name>/' and do not list that signature, and without
           a signature for all of them

  Returns {cursor, moved, back, moving}: the cursor is '0' after the last page; back is how many
  moves were broken off, and moving how many of the page are under way.

  Wakes no worker: the caller can run the jobs and looks by itself. A worker that is woken
  may be the one that parked them, and would do so again.
]]
if tonumber(ARGV[2]) > 1000 then
  return redis.error_reply('ERR unpark reads at most 1000 jobs at once; nothing was changed')
end
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
local function isGone(reason)
  local start, tried = string.match(reason, UNBOUND)
  local own = start and signatures[start]
  return gone[reason] or own == '' or own and not string.find(tried, own, 1, true)
end
local page = redis.call('HSCAN', parked, ARGV[1], 'COUNT', ARGV[2])
--#include keep-locks
--#include move-back
local ids, back, moving = {}, {}, 0
for i = 1, #page[2], 2 do
  local id, reason = page[2][i], page[2][i + 1]
  local target, place, at = readMove(reason)
  if target and isUnderWay(reason) then
    moving = moving + 1
  elseif target then
    back[#back + 1] = { id, place, at }
  elseif isGone(reason) then
    ids[#ids + 1] = id
  end
end
if #back > 0 then
  readPlaces()
elseif #ids > 0 then
  redis.call('LLEN', ready)
end
for _, move in ipairs(back) do
  if moveBack(unpack(move)) == 'ready' then
    ids[#ids + 1] = move[1]
  end
end
if #ids > 0 then
  -- The last one first, so that the oldest ends up at the very head.
  table.sort(ids, function(one, other) return one > other end)
  local hasLocks = redis.pcall('HLEN', lockof) ~= 0
  -- In steps: Redis may return more than a page, and returns a small hash as a whole.
  for from = 1, #ids, 1000 do
    local step = { unpack(ids, from, math.min(from + 999, #ids)) }
    redis.call('HDEL', parked, unpack(step))
    makeReady(step, true)
    if hasLocks then
      keepLocks(step, true)
    end
  end
end
return { page[1], #ids, #back, moving }
