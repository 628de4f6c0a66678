-- keys: locks lockof again mutexes
--[[
  Returns which jobs have locks, and the states of these jobs. Writes nothing.

  ARGV[1]  'locks' or 'mutexes' for a page of either kind; 'digest' for the lock and the mutex with a
           given digest; 'id' for the lock that a given job has or waits for
  ARGV[2]  the cursor of the previous page, or for the first page '0' for locks and '' for mutexes; if
           no page is requested, the digest or id
  ARGV[3]  size of the page, at most 1,000

  Returns {cursor, (digest, kind, expiry, holder, state, again, waiting)*}. The cursor is '0' after the
  last page, and if no page was requested. The expiry is in hex. A mutex has the kind m and the expiry 0.
  The state is the place of the holder, or '' if the holder is gone. again is 1 if a duplicate is to run
  once more, 0 otherwise. waiting lists ids of jobs that wait for a mutex, up to 100 per mutex and 1,000
  per page. Unreadable entries are omitted.
]]
--#include locate
--#include lock
-- This fails if the key is of a wrong type. Otherwise there would seem to be no mutexes.
redis.call('ZCARD', mutexes)
local answer, room = { '0' }, 1000

local function addLock(digest, entry)
  local holder, expiry, kind = readOwner(entry)
  if holder then
    answer[#answer + 1] = { digest, kind, string.format('%x', expiry), holder, locate(holder) or '',
      redis.call('HEXISTS', again, digest), {} }
  end
end

local function addMutex(digest)
  local holder = mutexHolder(digest)
  if not holder then
    return
  end
  local from, to = '[' .. digest .. ':', '(' .. digest .. ';'
  local waiting = redis.call('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, math.min(room, 100))
  room = room - #waiting
  for i, member in ipairs(waiting) do
    waiting[i] = string.sub(member, #digest + 2)
  end
  answer[#answer + 1] = { digest, 'm', '0', holder, locate(holder) or '', 0, waiting }
end

if ARGV[1] == 'locks' then
  local page = redis.call('HSCAN', locks, ARGV[2], 'COUNT', ARGV[3])
  answer[1] = page[1]
  for i = 1, #page[2], 2 do
    addLock(page[2][i], page[2][i + 1])
  end
elseif ARGV[1] == 'mutexes' then
  -- Goes from one digest to the next, no matter how many jobs wait for each mutex.
  local from = ARGV[2] == '' and '-' or '(' .. ARGV[2] .. '>'
  for _ = 1, ARGV[3] do
    local member = redis.call('ZRANGE', mutexes, from, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
    if not member then
      break
    end
    answer[1] = string.match(member, '^[^:=]+') or member
    from = '(' .. answer[1] .. '>'
    addMutex(answer[1])
  end
  if #redis.call('ZRANGE', mutexes, from, '+', 'BYLEX', 'LIMIT', 0, 1) == 0 then
    answer[1] = '0'
  end
elseif ARGV[1] == 'digest' then
  addLock(ARGV[2], redis.call('HGET', locks, ARGV[2]))
  addMutex(ARGV[2])
else
  local kind, _, digest = readLock(redis.call('HGET', lockof, ARGV[2]))
  if kind == 'm' then
    addMutex(digest)
  elseif digest then
    addLock(digest, redis.call('HGET', locks, digest))
  end
end
return answer
