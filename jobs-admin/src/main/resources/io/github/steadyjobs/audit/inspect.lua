-- keys: payloads working scheduled retries dead parked cancelled crashes since ready suspects beats claims calls stats meta locks lockof again mutexes windows gathered backlog backlogged
--[[
  Returns where jobs are and what is known about them, at one point in time. Writes nothing.

  ARGV[1]  key to read a page of; 'ids' to look up ids; 'lists' to search 'ready' and 'suspects' too
  ARGV[2…] for a key: '0' or the last cursor, and a page size up to 1,000; otherwise up to 1,000 ids

  Returns {cursor, weight, (id, value, state)*}. The cursor is '0' after the last page. For 'lists', the
  cursor is the number of ids that were looked up, at least 1; a long list allows only a few ids per
  call. The weight of a page of payloads is their size in bytes; the weight of 'lists' is the number of
  list elements that were compared. The value of a payload is ''; the value of again, gathered and backlogged
  is the part before the payload. A state consists of letters: P payload, C cancelled, S scheduled, T retries, D
  dead, K parked, W working, M working with an unreadable token, G working for a process that is not in
  beats, X crashes, N since. For 'lists', there is also an L for each time the id is in ready and a Q for
  each time it is in suspects, up to two each. For claims, a G means that the process is not in beats.
  For locks, lockof, again, mutexes, parked, gathered, backlog and backlogged, an O means that the entry
  would never end or run.

  A key of a wrong type counts as empty, so that problems in other keys are still found.
]]
local ofJobs = {
  payloads = { 'HSCAN', payloads }, working = { 'HSCAN', working }, scheduled = { 'ZSCAN', scheduled },
  retries = { 'ZSCAN', retries }, dead = { 'ZSCAN', dead }, parked = { 'HSCAN', parked },
  cancelled = { 'SSCAN', cancelled }, crashes = { 'HSCAN', crashes }, since = { 'HSCAN', since },
  ready = { 'LRANGE', ready }, suspects = { 'LRANGE', suspects },
}
local ofQueue = {
  beats = { 'HSCAN', beats }, claims = { 'HSCAN', claims }, calls = { 'HSCAN', calls },
  stats = { 'HSCAN', stats }, meta = { 'HSCAN', meta }, locks = { 'HSCAN', locks },
  lockof = { 'HSCAN', lockof }, again = { 'HSCAN', again }, mutexes = { 'ZSCAN', mutexes },
  windows = { 'ZSCAN', windows }, gathered = { 'HSCAN', gathered },
  backlog = { 'ZSCAN', backlog }, backlogged = { 'HSCAN', backlogged },
}
local command, key = unpack(ofJobs[ARGV[1]] or ofQueue[ARGV[1]] or {})
--#include now
--#include orphans
local ids, values, states, cursor, weight = {}, {}, {}, '0', 0

if command == 'LRANGE' then
  -- Reads from left to right. The cursor counts elements from the right end, where jobs are taken
  -- out. So pushing a job does not move a page, and taking a job makes a page begin earlier. An id that
  -- stays in the list is found, perhaps twice, unless many jobs are put back between two pages.
  local elements, size = hint('LLEN', key) or 0, tonumber(ARGV[3])
  local left = ARGV[2] == '0' and elements or math.min(elements, tonumber(ARGV[2]))
  ids = hint(command, key, elements - left, elements - left + size - 1) or {}
  if left > #ids then
    -- Pages overlap, because jobs that are put back at the right end shift this count.
    cursor = string.format('%.0f', left - #ids + math.floor(size / 20))
  end
elseif key then
  local page = hint(command, key, ARGV[2], 'COUNT', ARGV[3]) or { '0', {} }
  local step = command == 'SSCAN' and 1 or 2
  cursor = page[1]
  for i = 1, #page[2], step do
    ids[#ids + 1] = page[2][i]
    if key == payloads then
      weight = weight + #page[2][i + 1]
    elseif step == 2 then
      values[#ids] = page[2][i + 1]
    end
  end
else
  local count = #ARGV - 1
  if ARGV[1] == 'lists' then
    -- A search reads the whole list, which takes 5 ms for 500,000 elements.
    local length = (hint('LLEN', ready) or 0) + (hint('LLEN', suspects) or 0)
    count = math.min(count, math.max(1, math.floor(500000 / (length + 1))))
    cursor = string.format('%.0f', count)
    weight = count * length
  end
  ids = { unpack(ARGV, 2, count + 1) }
end

local function mark(i, letter)
  states[i] = (states[i] or '') .. letter
end

local function isMember(process)
  return hint('HEXISTS', beats, process) ~= 0
end

local function markJobs()
  for i, id in ipairs(ids) do
    -- Ids are checked one by one: a command for several fields would also read the payloads.
    if hint('HEXISTS', payloads, id) == 1 then
      mark(i, 'P')
    end
  end
  for i, holder in ipairs(hint('HMGET', working, unpack(ids)) or {}) do
    if holder then
      local process = string.match(holder, '^([^/]+)/[^/]+/%d+%a*$')
      mark(i, not process and 'M' or isMember(process) and 'W' or 'G')
    end
  end
  for _, each in ipairs({ { 'SMISMEMBER', cancelled, 'C' }, { 'ZMSCORE', scheduled, 'S' },
      { 'ZMSCORE', retries, 'T' }, { 'ZMSCORE', dead, 'D' }, { 'HMGET', parked, 'K' }, { 'HMGET', crashes, 'X' },
      { 'HMGET', since, 'N' } }) do
    local command, key, letter = unpack(each)
    for i, found in ipairs(hint(command, key, unpack(ids)) or {}) do
      if found and found ~= 0 then
        mark(i, letter)
      end
    end
  end
  for i, id in ipairs(ARGV[1] == 'lists' and ids or {}) do
    mark(i, string.rep('L', #(hint('LPOS', ready, id, 'COUNT', 2) or {})))
    mark(i, string.rep('Q', #(hint('LPOS', suspects, id, 'COUNT', 2) or {})))
  end
end

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
