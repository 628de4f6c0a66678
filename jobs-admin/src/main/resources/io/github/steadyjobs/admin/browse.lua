-- keys: ready suspects scheduled retries dead parked working
--[[
  Lists the jobs in one place, one page per call. Writes nothing.

  ARGV[1]  the place: 'ready', 'suspects', 'scheduled', 'retries', 'dead', 'parked' or 'working'
  ARGV[2]  number of jobs wanted, 1 to 1,000
  ARGV[3]  '' on the first call; later, the number of jobs to skip (for a list), the time of the last
           job of the previous page (for a sorted set), or next from the previous answer (for a hash)
  ARGV[4]  for a sorted set, the id of the last job of the previous page

  Returns {next, (id, detail)*}. next is '' or '@0' after the last page. Otherwise next is where the next
  page begins or, for a sorted set, 'more'.
  detail is the time of a job in a sorted set, the value of a job in a hash, and '' for a job in a list.
  Jobs in a list are in the order in which they will run; jobs with a due time, in the order of that
  time; dead jobs, newest first; and jobs in a hash, in the order of their ids. A hash with more than 512
  entries is scanned: jobs are in any order, may be a few more than wanted, and next begins with '@'.
]]
local place, wanted = ARGV[1], tonumber(ARGV[2])

local function readList(key)
  local over = tonumber(ARGV[3]) or 0
  local ids = redis.call('LRANGE', key, -over - wanted, -over - 1)
  local answer = { #ids == wanted and over + wanted .. '' or '' }
  for i = #ids, 1, -1 do
    answer[#answer + 1], answer[#answer + 2] = ids[i], ''
  end
  return answer
end

-- Returns how many jobs come before the job in ARGV, and 1 if that job is still there, otherwise 0.
local function readRank(key)
  -- Jobs with the same time are sorted by their ids.
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. ARGV[3])
  local high = low + redis.call('ZCOUNT', key, ARGV[3], ARGV[3])
  local last = high
  while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZRANGE', key, middle, middle)[1] < ARGV[4] then
      low = middle + 1
    else
      high = middle
    end
  end
  return low, low < last and redis.call('ZRANGE', key, low, low)[1] == ARGV[4] and 1 or 0
end

local function readSorted(key, lastFirst)
  local from = 0
  if ARGV[3] ~= '' then
    local before, there = readRank(key)
    from = lastFirst and redis.call('ZCARD', key) - before or before + there
  end
  local found = lastFirst and redis.call('ZRANGE', key, from, from + wanted - 1, 'REV', 'WITHSCORES')
    or redis.call('ZRANGE', key, from, from + wanted - 1, 'WITHSCORES')
  table.insert(found, 1, #found == 2 * wanted and 'more' or '')
  return found
end

local function readHash(key)
  if redis.call('HLEN', key) > 512 then
    local page = redis.call('HSCAN', key, string.match(ARGV[3], '^@(%d+)$') or '0', 'COUNT', wanted)
    table.insert(page[2], 1, '@' .. page[1])
    return page[2]
  end
  local entries, ids = {}, {}
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    entries[all[i]] = all[i + 1]
    if string.sub(ARGV[3], 1, 1) == '@' or all[i] > ARGV[3] then
      ids[#ids + 1] = all[i]
    end
  end
  table.sort(ids)
  local answer = { #ids > wanted and ids[wanted] or '' }
  for i = 1, math.min(wanted, #ids) do
    answer[#answer + 1], answer[#answer + 2] = ids[i], entries[ids[i]]
  end
  return answer
end

local key = ({ ready = ready, suspects = suspects, scheduled = scheduled, retries = retries, dead = dead,
  parked = parked, working = working })[place]
if place == 'ready' or place == 'suspects' then
  return readList(key)
elseif place == 'parked' or place == 'working' then
  return readHash(key)
end
return readSorted(key, place == 'dead')
