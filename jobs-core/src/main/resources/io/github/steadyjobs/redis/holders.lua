-- keys: locks lockof again mutexes payloads working scheduled retries dead parked
--[[
  Tells which jobs have locks, and what those jobs do. Writes nothing.

  ARGV[1]  'locks' or 'mutexes' for a page of these; 'digest' for all locks of a digest; 'id'
           for the lock that a job has or waits for
  ARGV[2]  '0' or the cursor of the page before; otherwise the digest or id
  ARGV[3]  size of the page, at most 1,000

  Returns {cursor, (digest, kind, expiry, holder, state, again, waiting)*}. The cursor is '0'
  after the last page, and where none was asked for. The kinds are those of keep-locks.lua, and a
  mutex has the expiry 0. The state of the job is W working, S scheduled, T retries, K parked,
  D dead, R ready or G gone. The next is 1 if a duplicate is to run once more, and the last are
  up to 100 ids of jobs that wait for a mutex.

  A lock that cannot be read is left out, as is a mutex that no job has.
]]
if #ARGV == 3 and tonumber(ARGV[3]) > 1000 then
  return redis.error_reply('ERR holders reads at most 1000 locks at once; nothing was changed')
end
local answer = { '0' }

local function stateOf(id)
  if redis.call('HEXISTS', working, id) == 1 then
    return 'W'
  elseif redis.call('HEXISTS', payloads, id) == 0 then
    return 'G'
  elseif redis.call('ZSCORE', scheduled, id) then
    return 'S'
  elseif redis.call('ZSCORE', retries, id) then
    return 'T'
  elseif redis.call('HEXISTS', parked, id) == 1 then
    return 'K'
  end
  return redis.call('ZSCORE', dead, id) and 'D' or 'R'
end

local function addLock(digest, entry)
  local expiry, kind = string.match(entry or '', '^(%x+)([ueaw])$', 25)
  if expiry then
    local holder = string.sub(entry, 1, 24)
    answer[#answer + 1] = { digest, kind, expiry, holder, stateOf(holder), redis.call('HEXISTS', again, digest), {} }
  end
end

local function addMutex(digest, holder)
  local from, to = '[' .. digest .. ':', '(' .. digest .. ';'
  local waiting = redis.call('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 100)
  for i, member in ipairs(waiting) do
    waiting[i] = string.sub(member, #digest + 2)
  end
  answer[#answer + 1] = { digest, 'm', '0', holder, stateOf(holder), 0, waiting }
end

local function addMutexOf(digest)
  local from, to = '[' .. digest .. '=', '(' .. digest .. '>'
  local member = redis.call('ZRANGE', mutexes, from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
  if member then
    addMutex(digest, string.sub(member, #digest + 2))
  end
end

if ARGV[1] == 'locks' then
  local page = redis.call('HSCAN', locks, ARGV[2], 'COUNT', ARGV[3])
  answer[1] = page[1]
  for i = 1, #page[2], 2 do
    addLock(page[2][i], page[2][i + 1])
  end
elseif ARGV[1] == 'mutexes' then
  local page = redis.call('ZSCAN', mutexes, ARGV[2], 'COUNT', ARGV[3])
  answer[1] = page[1]
  for i = 1, #page[2], 2 do
    local digest, holder = string.match(page[2][i], '^(%S-)=(%S+)$')
    if holder then
      addMutex(digest, holder)
    end
  end
elseif ARGV[1] == 'digest' then
  addLock(ARGV[2], redis.call('HGET', locks, ARGV[2]))
  addMutexOf(ARGV[2])
else
  local kind, digest = string.match(redis.call('HGET', lockof, ARGV[2]) or '', '^(%a)%x+ (%S+)')
  if kind == 'm' then
    addMutexOf(digest)
  elseif digest then
    addLock(digest, redis.call('HGET', locks, digest))
  end
end
return answer
