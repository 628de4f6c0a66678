-- keys: gathered payloads ready scheduled
-- The payloads of an ordered job: each is a line of its score, ' ' and its arguments, and the
-- smallest score comes first. payloads has them behind the envelope of the job and a newline.
-- gathered has, by id, what has come while the job was with a worker: the time at which it is
-- due, ' ', and what is stored once that run has ended.

-- Doubles cannot tell large integers apart: those are compared by their digits, and come before
-- other numbers that are the same as a double.
local function isLess(one, other)
  local first, second = tonumber(one) or 0, tonumber(other) or 0
  if first ~= second or math.abs(first) < 2 ^ 53 or one == other then
    return first < second
  end
  local isWhole = string.find(one, '^%-?%d+$')
  if not (isWhole and string.find(other, '^%-?%d+$')) then
    return isWhole ~= nil and not string.find(other, '^%-?%d+$')
  end
  if #one ~= #other then
    return (#one < #other) ~= (first < 0)
  end
  return (one < other) ~= (first < 0)
end

-- Merges lines: of equal payloads the smallest score stays. Those with equal scores stay in the
-- order in which they came.
local function mergeLines(lines, more)
  local entries, known = {}, {}
  for score, payload in string.gmatch(lines .. more, '(%S+) ([^\n]*)\n') do
    local entry = known[payload]
    if not entry then
      entry = { score = score, payload = payload, place = #entries + 1 }
      entries[entry.place], known[payload] = entry, entry
    elseif isLess(score, entry.score) then
      entry.score = score
    end
  end
  table.sort(entries, function(one, other)
    if isLess(one.score, other.score) or isLess(other.score, one.score) then
      return isLess(one.score, other.score)
    end
    return one.place < other.place
  end)
  local merged = {}
  for i, entry in ipairs(entries) do
    merged[i] = entry.score .. ' ' .. entry.payload .. '\n'
  end
  return table.concat(merged)
end

local function headOf(stored)
  return string.find(stored, '\n', 1, true) or 0
end

-- Returns what is stored for a job, with what has come for its key since it was given out.
local function withGathered(id, stored)
  local entry = redis.pcall('HGET', gathered, id)
  if type(entry) ~= 'string' then
    return stored
  end
  redis.call('HDEL', gathered, id)
  local head = headOf(stored)
  return string.sub(stored, 1, head)
    .. mergeLines(string.sub(stored, head + 1), string.sub(entry, headOf(entry) + 1))
end

-- Returns whether something has come that can be stored. Where a key is of a wrong type it stays
-- where it is, and an audit finds it: the script that asks has begun to write.
local function hasGathered()
  local count = redis.pcall('HLEN', gathered)
  return type(count) == 'number' and count > 0 and type(redis.pcall('HLEN', payloads)) == 'number'
    and type(redis.pcall('LLEN', ready)) == 'number' and type(redis.pcall('ZCARD', scheduled)) == 'number'
end

-- Lets jobs wait again, with all payloads of their keys.
local function rejoin(ids)
  if not hasGathered() then
    return
  end
  for _, id in ipairs(ids) do
    local stored = redis.call('HEXISTS', gathered, id) == 1 and redis.call('HGET', payloads, id)
    if stored then
      redis.call('HSET', payloads, id, withGathered(id, stored))
    end
  end
end

-- What has come for keys while their jobs ran becomes their next jobs.
local function promote(ids)
  if #ids == 0 or not hasGathered() then
    return
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local promoted, due = {}, 0
  for i, entry in ipairs(redis.call('HMGET', gathered, unpack(ids))) do
    if entry then
      local space = string.find(entry, ' ', 1, true)
      local at = tonumber(string.sub(entry, 1, space - 1)) or 0
      redis.call('HSET', payloads, ids[i], string.sub(entry, space + 1))
      if at <= now then
        redis.call('LPUSH', ready, ids[i])
        due = due + 1
      else
        redis.call('ZADD', scheduled, at, ids[i])
        due = math.max(due, 1)
      end
      promoted[#promoted + 1] = ids[i]
    end
  end
  if #promoted > 0 then
    redis.call('HDEL', gathered, unpack(promoted))
    wakeWorkers(due)
  end
end
