-- keys: payloads working scheduled retries dead parked cancelled crashes since ready suspects beats claims calls stats meta locks lockof again mutexes windows gathered
--[[
  Tells where jobs are and what is known of them, all at one moment. Writes nothing.

  ARGV[1]  name of the key of which a page is wanted; or 'ids' to look for ids; or 'lists'
           to look for them in 'ready' and 'suspects' too
  ARGV[2…] of a key: '0' or the cursor of the page before, and the size of the page, at
           most 1,000; otherwise up to 1,000 ids

  Returns {cursor, weight, (id, value, state)*}. The cursor is '0' after the last page; for
  'lists' it is the number of ids that were looked for, at least 1, because a long list
  allows only few of them. The weight of a page of payloads is their bytes, that of 'lists' the
  list elements that were compared. The value of a payload is ''. A state is letters: P
  payload, C cancelled, S scheduled, T retries, D dead, K parked, W working, M working with
  a token that cannot be read, G working for a process that is not in beats, X crashes,
  N since; for 'lists' an L for each time in ready and a Q for each time in suspects; for
  claims a G if the process is not in beats; for locks, lockof, again, mutexes, parked and
  gathered an O if the entry would never end by itself. Entries of locks, lockof, again, mutexes,
  windows and gathered have no other letter. The value of again and of gathered is what comes
  before the payload.

  A list is read from left to right. Its cursor counts elements from the right end, where
  they are taken: pushing does not move a page, and taking makes it begin earlier. So an id
  that stays in the list is met, maybe twice.

  A key of a wrong type counts as empty, or one of them would hide what is wrong in others.
]]
local parts = {
  payloads = { payloads, 'hash' }, working = { working, 'hash' }, scheduled = { scheduled, 'zset' },
  retries = { retries, 'zset' }, dead = { dead, 'zset' }, parked = { parked, 'hash' },
  cancelled = { cancelled, 'set' }, crashes = { crashes, 'hash' }, since = { since, 'hash' },
  ready = { ready, 'list' }, suspects = { suspects, 'list' }, beats = { beats, 'hash' },
  claims = { claims, 'hash' }, calls = { calls, 'hash' }, stats = { stats, 'hash' },
  meta = { meta, 'hash' }, locks = { locks, 'hash' }, lockof = { lockof, 'hash' },
  again = { again, 'hash' }, mutexes = { mutexes, 'zset' }, windows = { windows, 'zset' },
  gathered = { gathered, 'hash' },
}

local function isThere(key, type)
  return redis.call('TYPE', key).ok == type
end

local ids, values, cursor, weight = {}, {}, '0', 0

local function readList(key)
  local elements, size = redis.call('LLEN', key), tonumber(ARGV[3])
  local left = ARGV[2] == '0' and elements or math.min(elements, tonumber(ARGV[2]))
  ids = redis.call('LRANGE', key, elements - left, elements - left + size - 1)
  if left > #ids then
    -- Pages overlap, because what is put back to the right end shifts this count.
    cursor = string.format('%.0f', left - #ids + math.floor(size / 20))
  end
end

local function scan(key, type)
  if type == 'hash' then
    return redis.call('HSCAN', key, ARGV[2], 'COUNT', ARGV[3])
  end
  if type == 'zset' then
    return redis.call('ZSCAN', key, ARGV[2], 'COUNT', ARGV[3])
  end
  return redis.call('SSCAN', key, ARGV[2], 'COUNT', ARGV[3])
end

local function readPage(key, type)
  local page = scan(key, type)
  cursor = page[1]
  local step = type == 'set' and 1 or 2
  for i = 1, #page[2], step do
    ids[#ids + 1] = page[2][i]
    if key == payloads then
      weight = weight + #page[2][i + 1]
    elseif step == 2 then
      values[#ids] = page[2][i + 1]
    end
  end
end

local readyIsThere, suspectsAreThere = isThere(ready, 'list'), isThere(suspects, 'list')
local wanted, length = parts[ARGV[1]], 0
if #ARGV > 1001 or (wanted and tonumber(ARGV[3]) > 1000) then
  return redis.error_reply('ERR inspect reads at most 1000 ids at once; nothing was changed')
end
if wanted then
  local key, type = wanted[1], wanted[2]
  if not isThere(key, type) then
    return { '0', 0 }
  end
  if type == 'list' then
    readList(key)
  else
    readPage(key, type)
  end
else
  local count = #ARGV - 1
  if ARGV[1] == 'lists' then
    length = (readyIsThere and redis.call('LLEN', ready) or 0)
      + (suspectsAreThere and redis.call('LLEN', suspects) or 0)
    -- A search goes through a whole list: 5 ms for 500,000 elements.
    count = math.min(count, math.max(1, math.floor(500000 / (length + 1))))
    cursor = string.format('%.0f', count)
    weight = count * length
  end
  for i = 1, count do
    ids[i] = ARGV[i + 1]
  end
end

local states = {}
for i = 1, #ids do
  states[i] = ''
end

local function mark(i, letter)
  states[i] = states[i] .. letter
end

local beatsAreDamaged = not isThere(beats, 'hash') and redis.call('EXISTS', beats) == 1
local members = {}
local function isMember(process)
  if members[process] == nil then
    members[process] = beatsAreDamaged or redis.call('HEXISTS', beats, process) == 1
  end
  return members[process]
end

local function markAll(found, letter)
  for i = 1, #ids do
    if found[i] and found[i] ~= 0 then
      mark(i, letter)
    end
  end
end

local function markFields(key, letter)
  if isThere(key, 'hash') then
    markAll(redis.call('HMGET', key, unpack(ids)), letter)
  end
end

local function markMembers(key, letter)
  if isThere(key, 'zset') then
    markAll(redis.call('ZMSCORE', key, unpack(ids)), letter)
  end
end

local function markHolders()
  for i, holder in ipairs(redis.call('HMGET', working, unpack(ids))) do
    if holder then
      local process = string.match(holder, '^([^/]+)/[^/]+/%d+%a*$')
      mark(i, not process and 'M' or isMember(process) and 'W' or 'G')
    end
  end
end

local function markPayloads()
  for i, id in ipairs(ids) do
    -- One by one: reading several fields at once reads the payloads too.
    if redis.call('HEXISTS', payloads, id) == 1 then
      mark(i, 'P')
    end
  end
end

local function markList(key, letter)
  for i, id in ipairs(ids) do
    mark(i, string.rep(letter, #redis.call('LPOS', key, id, 'COUNT', 2)))
  end
end

local function markClaimants()
  for i, claimant in ipairs(ids) do
    local process = string.match(claimant, '^([^/]+)/')
    if not process or not isMember(process) then
      mark(i, 'G')
    end
  end
end

local function markJobs()
  if isThere(payloads, 'hash') then
    markPayloads()
  end
  if isThere(working, 'hash') then
    markHolders()
  end
  if isThere(cancelled, 'set') then
    markAll(redis.call('SMISMEMBER', cancelled, unpack(ids)), 'C')
  end
  markMembers(scheduled, 'S')
  markMembers(retries, 'T')
  markMembers(dead, 'D')
  markFields(parked, 'K')
  markFields(crashes, 'X')
  markFields(since, 'N')
  if length > 0 and readyIsThere then
    markList(ready, 'L')
  end
  if length > 0 and suspectsAreThere then
    markList(suspects, 'Q')
  end
end

--#include orphans
local function markOrphans(isOrphaned)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  for i, id in ipairs(ids) do
    if isOrphaned(now, id, values[i]) then
      mark(i, 'O')
    end
  end
end

local ofQueue = {
  beats = true, calls = true, stats = true, meta = true,
  locks = true, lockof = true, again = true, mutexes = true, windows = true,
  gathered = true,
}
if ARGV[1] == 'claims' then
  markClaimants()
elseif #ids > 0 and not ofQueue[ARGV[1]] then
  markJobs()
end
if isOrphan[ARGV[1]] then
  markOrphans(isOrphan[ARGV[1]])
end
local beforePayload = ({ again = '^%x+ %x+ ', gathered = '^%d+ ' })[ARGV[1]]
if beforePayload then
  for i, value in ipairs(values) do
    values[i] = string.match(value, beforePayload) or value
  end
end

local answer = { cursor, weight }
for i, id in ipairs(ids) do
  answer[#answer + 1] = id
  answer[#answer + 1] = values[i] or ''
  answer[#answer + 1] = states[i]
end
return answer
