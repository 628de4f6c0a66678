-- keys: payloads working scheduled retries dead parked cancelled crashes since ready suspects beats claims calls stats meta locks lockof again mutexes windows gathered
--[[
  Returns where jobs are and what is known about them, all at one moment. Writes nothing.

  ARGV[1]  name of a key to read a page of; or 'ids' to look for ids; or 'lists' to look for them in
           'ready' and 'suspects' too
  ARGV[2…] for a key: '0' or the cursor of the previous page, and the size of the page, at most 1,000;
           otherwise up to 1,000 ids

  Returns {cursor, weight, (id, value, state)*}. The cursor is '0' after the last page; for
  'lists' it is the number of ids that were looked for, at least 1, because a long list
  allows only few of them. The weight of a page of payloads is their bytes, the weight of 'lists' is the
  number of list elements that were compared. The value of a payload is ''; the value of again and
  gathered is the part before the payload. A state is letters: P payload, C cancelled, S scheduled, T
  retries, D dead, K parked, W working, M working with a token that cannot be read, G working for a
  process that is not in beats, X crashes, N since; for 'lists' an L for each time in ready and a Q for
  each time in suspects; for claims a G if the process is not in beats; for locks, lockof, again,
  mutexes, parked and gathered an O if the entry would never end by itself.

  A list is read from left to right. Its cursor counts elements from the right end, where
  they are taken: pushing does not move a page, and taking makes it begin earlier. So an id that stays
  in the list is found, perhaps twice.

  A key of a wrong type counts as empty, otherwise it would hide what is wrong in others.
]]
local ofJobs = {
  payloads = { payloads, 'hash' }, working = { working, 'hash' }, scheduled = { scheduled, 'zset' },
  retries = { retries, 'zset' }, dead = { dead, 'zset' }, parked = { parked, 'hash' },
  cancelled = { cancelled, 'set' }, crashes = { crashes, 'hash' }, since = { since, 'hash' },
  ready = { ready, 'list' }, suspects = { suspects, 'list' },
}
local ofQueue = {
  beats = { beats, 'hash' }, claims = { claims, 'hash' }, calls = { calls, 'hash' },
  stats = { stats, 'hash' }, meta = { meta, 'hash' }, locks = { locks, 'hash' },
  lockof = { lockof, 'hash' }, again = { again, 'hash' }, mutexes = { mutexes, 'zset' },
  windows = { windows, 'zset' }, gathered = { gathered, 'hash' },
}
local wanted = ofJobs[ARGV[1]] or ofQueue[ARGV[1]]
if #ARGV > 1001 or (wanted and tonumber(ARGV[3]) > 1000) then
  return redis.error_reply('ERR inspect reads at most 1000 ids at once; nothing was changed')
end

local function isThere(key, type)
  return redis.call('TYPE', key).ok == type
end

local ids, values, states, cursor, weight = {}, {}, {}, '0', 0

local function readList(key)
  local elements, size = redis.call('LLEN', key), tonumber(ARGV[3])
  local left = ARGV[2] == '0' and elements or math.min(elements, tonumber(ARGV[2]))
  ids = redis.call('LRANGE', key, elements - left, elements - left + size - 1)
  if left > #ids then
    -- Pages overlap, because jobs that are put back to the right end shift this count.
    cursor = string.format('%.0f', left - #ids + math.floor(size / 20))
  end
end

local function readPage(key, type)
  local page = type == 'hash' and redis.call('HSCAN', key, ARGV[2], 'COUNT', ARGV[3])
    or type == 'zset' and redis.call('ZSCAN', key, ARGV[2], 'COUNT', ARGV[3])
    or redis.call('SSCAN', key, ARGV[2], 'COUNT', ARGV[3])
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

local lists = {}
if wanted then
  local key, type = unpack(wanted)
  if not isThere(key, type) then
    return { '0', 0 }
  elseif type == 'list' then
    readList(key)
  else
    readPage(key, type)
  end
else
  local count, length = #ARGV - 1, 0
  if ARGV[1] == 'lists' then
    for place, key in ipairs({ ready, suspects }) do
      if isThere(key, 'list') then
        lists[place], length = key, length + redis.call('LLEN', key)
      end
    end
    -- A search goes through a whole list: 5 ms for 500,000 elements.
    count = math.min(count, math.max(1, math.floor(500000 / (length + 1))))
    cursor = string.format('%.0f', count)
    weight = count * length
  end
  ids = { unpack(ARGV, 2, count + 1) }
end

local function mark(i, letter)
  states[i] = (states[i] or '') .. letter
end

local function markAll(key, type, letter)
  local found = not isThere(key, type) and {} or type == 'hash' and redis.call('HMGET', key, unpack(ids))
    or type == 'zset' and redis.call('ZMSCORE', key, unpack(ids)) or redis.call('SMISMEMBER', key, unpack(ids))
  for i = 1, #ids do
    if found[i] and found[i] ~= 0 then
      mark(i, letter)
    end
  end
end

local beatsAreDamaged = not isThere(beats, 'hash') and redis.call('EXISTS', beats) == 1
local members = {}
local function isMember(process)
  if members[process] == nil then
    members[process] = beatsAreDamaged or redis.call('HEXISTS', beats, process) == 1
  end
  return members[process]
end

local function markHolders()
  for i, holder in ipairs(redis.call('HMGET', working, unpack(ids))) do
    if holder then
      local process = string.match(holder, '^([^/]+)/[^/]+/%d+%a*$')
      mark(i, not process and 'M' or isMember(process) and 'W' or 'G')
    end
  end
end

local function markJobs()
  for i, id in ipairs(isThere(payloads, 'hash') and ids or {}) do
    -- One by one: reading several fields at once reads the payloads too.
    if redis.call('HEXISTS', payloads, id) == 1 then
      mark(i, 'P')
    end
  end
  if isThere(working, 'hash') then
    markHolders()
  end
  markAll(cancelled, 'set', 'C')
  markAll(scheduled, 'zset', 'S')
  markAll(retries, 'zset', 'T')
  markAll(dead, 'zset', 'D')
  markAll(parked, 'hash', 'K')
  markAll(crashes, 'hash', 'X')
  markAll(since, 'hash', 'N')
  for place = 1, 2 do
    local key = lists[place]
    for i, id in ipairs(key and ids or {}) do
      mark(i, string.rep(place == 1 and 'L' or 'Q', #redis.call('LPOS', key, id, 'COUNT', 2)))
    end
  end
end

--#include orphans
if ARGV[1] == 'claims' then
  for i, claimant in ipairs(ids) do
    local process = string.match(claimant, '^([^/]+)/')
    if not process or not isMember(process) then
      mark(i, 'G')
    end
  end
elseif #ids > 0 and not ofQueue[ARGV[1]] then
  markJobs()
end
--#include now
local isOrphaned, answer = isOrphan[ARGV[1]], { cursor, weight }
for i, id in ipairs(ids) do
  if isOrphaned and isOrphaned(now, id, values[i]) then
    mark(i, 'O')
  end
  local value, size = values[i] or '', #answer
  answer[size + 1], answer[size + 3] = id, states[i] or ''
  answer[size + 2] = beforePayload(ARGV[1], value) or value
end
return answer
