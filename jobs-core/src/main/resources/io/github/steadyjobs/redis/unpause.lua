-- keys: parked ready lockof meta
--[[
  Puts jobs back to the head of their queue that were parked while their name was paused.

  ARGV[1]  'find' to look for some, or 'move' to move them
  ARGV[2…] to look for some: '0' or the cursor of the page before, and the size of the page, at
           most 1,000; otherwise up to 1,000 ids in ascending order

  Returns {cursor, (id, name)*}: the jobs that may go, and the name if only one job of that is
  to be tried, otherwise ''. The cursor is '0' after the last page. For 'move', how many moved.

  The oldest ends up at the very head. The first write is a removal, which Redis accepts when
  its memory is full.
]]
if #ARGV > 1001 or (ARGV[1] == 'find' and tonumber(ARGV[3]) > 1000) then
  return redis.error_reply('ERR unpause takes at most 1000 jobs at once; nothing was changed')
end
--#include paused-names
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local names = readPauses(redis.call('HGET', meta, 'paused-jobs'))

-- Returns whether a job may go, and its name if it is to be tried.
local function mayGo(reason)
  local name = string.match(reason, '^paused:(.*)$')
  local pause = name and names[name]
  if pause then
    return hasEnded(pause, now), pause.mark == 'p' and name or ''
  end
  return name, ''
end

if ARGV[1] == 'find' then
  local page = redis.call('HSCAN', parked, ARGV[2], 'COUNT', ARGV[3])
  local answer = { page[1] }
  for i = 1, #page[2], 2 do
    local free, name = mayGo(page[2][i + 1])
    if free then
      answer[#answer + 1] = page[2][i]
      answer[#answer + 1] = name
    end
  end
  return answer
end

local moved = {}
for i = #ARGV, 2, -1 do
  local reason = redis.call('HGET', parked, ARGV[i])
  if reason and mayGo(reason) then
    moved[#moved + 1] = ARGV[i]
  end
end
if #moved > 0 then
  -- Read before the first write: a key of a wrong type must not leave half a call behind.
  redis.call('LLEN', ready)
  redis.call('HDEL', parked, unpack(moved))
  --#include keep-locks
  makeReady(moved, true)
  if redis.pcall('HLEN', lockof) ~= 0 then
    keepLocks(moved, true)
  end
  wakeWorkers(#moved)
end
return #moved
