--[[
  Tells where jobs are and what is known of them, all at one moment. Writes nothing.

  KEYS[1]   payloads
  KEYS[2]   working
  KEYS[3]   scheduled
  KEYS[4]   retries
  KEYS[5]   dead
  KEYS[6]   parked
  KEYS[7]   cancelled
  KEYS[8]   crashes
  KEYS[9]   since
  KEYS[10]  ready
  KEYS[11]  suspects
  KEYS[12]  beats
  KEYS[13]  claims
  KEYS[14]  calls
  KEYS[15]  stats
  KEYS[16]  meta

  ARGV[1]  name of the key of which a page is wanted; or 'ids' to look for ids; or 'lists'
           to look for them in 'ready' and 'suspects' too
  ARGV[2…] of a key: cursor, which for a list is the index of its first element, and the
           size of the page, at most 1,000; otherwise up to 1,000 ids

  Returns {cursor, weight, (id, value, state)*}. The cursor is '0' after the last page; for
  'lists' it is the number of ids that were looked for, at least 1, as a long list allows
  only few of them. The weight of a page of payloads is their bytes, that of 'lists' the
  list elements that were compared. The value of a payload is ''. A state is letters: P
  payload, C cancelled, S scheduled, T retries, D dead, K parked, W working, M working with
  a token that cannot be read, G working for a process that is not in beats, X crashes,
  N since; for 'lists' an L for each time in ready and a Q for each time in suspects; for
  claims a G if the process is not in beats.

  A key of a wrong type counts as empty, or one of them would hide what is wrong in others.
]]
local parts = {
  payloads = { KEYS[1], 'hash' }, working = { KEYS[2], 'hash' }, scheduled = { KEYS[3], 'zset' },
  retries = { KEYS[4], 'zset' }, dead = { KEYS[5], 'zset' }, parked = { KEYS[6], 'hash' },
  cancelled = { KEYS[7], 'set' }, crashes = { KEYS[8], 'hash' }, since = { KEYS[9], 'hash' },
  ready = { KEYS[10], 'list' }, suspects = { KEYS[11], 'list' }, beats = { KEYS[12], 'hash' },
  claims = { KEYS[13], 'hash' }, calls = { KEYS[14], 'hash' }, stats = { KEYS[15], 'hash' },
  meta = { KEYS[16], 'hash' },
}

local function isThere(name)
  return redis.call('TYPE', parts[name][1]).ok == parts[name][2]
end

local ids, values, cursor, weight = {}, {}, '0', 0

local function readPage(name)
  local key, type = parts[name][1], parts[name][2]
  if not isThere(name) then
    return
  end
  if type == 'list' then
    local first = tonumber(ARGV[2])
    ids = redis.call('LRANGE', key, first, first + tonumber(ARGV[3]) - 1)
    if #ids == tonumber(ARGV[3]) then
      cursor = string.format('%.0f', first + #ids)
    end
    return
  end
  local scan = type == 'hash' and 'HSCAN' or type == 'zset' and 'ZSCAN' or 'SSCAN'
  local page = redis.call(scan, key, ARGV[2], 'COUNT', ARGV[3])
  cursor = page[1]
  local step = type == 'set' and 1 or 2
  for i = 1, #page[2], step do
    ids[#ids + 1] = page[2][i]
    if name == 'payloads' then
      weight = weight + #page[2][i + 1]
    elseif step == 2 then
      values[#ids] = page[2][i + 1]
    end
  end
end

local length = 0
if parts[ARGV[1]] then
  readPage(ARGV[1])
else
  local count = #ARGV - 1
  if ARGV[1] == 'lists' then
    for _, name in ipairs({ 'ready', 'suspects' }) do
      length = length + (isThere(name) and redis.call('LLEN', parts[name][1]) or 0)
    end
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

local beatsDamaged = not isThere('beats') and redis.call('EXISTS', KEYS[12]) == 1
local members = {}
local function isMember(process)
  if members[process] == nil then
    members[process] = beatsDamaged or redis.call('HEXISTS', KEYS[12], process) == 1
  end
  return members[process]
end

local function markHolder(i, holder)
  local process = string.match(holder, '^([^/]+)/[^/]+/%d+%a*$')
  mark(i, not process and 'M' or isMember(process) and 'W' or 'G')
end

local function markAll(name, command, letter)
  if isThere(name) then
    for i, found in ipairs(redis.call(command, parts[name][1], unpack(ids))) do
      if found and found ~= 0 then
        if letter == 'W' then
          markHolder(i, found)
        else
          mark(i, letter)
        end
      end
    end
  end
end

local function markJobs()
  if isThere('payloads') then
    for i, id in ipairs(ids) do
      -- One by one: reading several fields at once reads the payloads too.
      if redis.call('HEXISTS', KEYS[1], id) == 1 then
        mark(i, 'P')
      end
    end
  end
  markAll('cancelled', 'SMISMEMBER', 'C')
  markAll('working', 'HMGET', 'W')
  markAll('scheduled', 'ZMSCORE', 'S')
  markAll('retries', 'ZMSCORE', 'T')
  markAll('dead', 'ZMSCORE', 'D')
  markAll('parked', 'HMGET', 'K')
  markAll('crashes', 'HMGET', 'X')
  markAll('since', 'HMGET', 'N')
end

local function markLists()
  for name, letter in pairs({ ready = 'L', suspects = 'Q' }) do
    if isThere(name) then
      for i, id in ipairs(ids) do
        mark(i, string.rep(letter, #redis.call('LPOS', parts[name][1], id, 'COUNT', 2)))
      end
    end
  end
end

local ofQueue = { beats = true, claims = true, calls = true, stats = true, meta = true }
if #ids > 0 and not ofQueue[ARGV[1]] then
  markJobs()
  if length > 0 then
    markLists()
  end
elseif ARGV[1] == 'claims' then
  for i, claimant in ipairs(ids) do
    local process = string.match(claimant, '^([^/]+)/')
    if not process or not isMember(process) then
      mark(i, 'G')
    end
  end
end

local answer = { cursor, weight }
for i, id in ipairs(ids) do
  answer[#answer + 1] = id
  answer[#answer + 1] = values[i] or ''
  answer[#answer + 1] = states[i]
end
return answer
