-- keys: gathered payloads ready scheduled
-- Merges payloads of ordered jobs. An ordered job is stored as its envelope and a newline, followed
-- by a line for each payload: its score, ' ' and its arguments. The smallest score comes first. The
-- key gathered contains, by id, the payloads that arrived while a worker had the job: the due time,
-- ' ', and the job to store once that run has ended.
--#include now

-- Doubles cannot distinguish large integers, so large integers are compared by their digits. Such
-- integers come before other numbers that are equal as doubles.
local function isLess(one, other)
  local first, second = tonumber(one) or 0, tonumber(other) or 0
  if first ~= second or math.abs(first) < 2 ^ 53 or one == other then
    return first < second
  end
  local isWhole, isOther = string.find(one, '^%-?%d+$'), string.find(other, '^%-?%d+$')
  if not (isWhole and isOther) then
    return isWhole ~= nil and not isOther
  elseif #one ~= #other then
    return (#one < #other) ~= (first < 0)
  end
  return (one < other) ~= (first < 0)
end

local function headOf(stored)
  return string.find(stored, '\n', 1, true) or 0
end

-- Reads the lines of a stored job: the arguments with the space before them, in order, and the score of
-- each. If no job is stored, there are no lines. Searches for single characters, because patterns take
-- milliseconds for a megabyte.
local function readLines(stored)
  stored = stored or ''
  local find, sub, start = string.find, string.sub, headOf(stored) + 1
  local texts, scores, head, size = {}, {}, sub(stored, 1, start - 1), #stored - start + 1
  local ending = find(stored, '\n', start, true)
  while ending do
    local space = find(stored, ' ', start, true)
    local from = space and space < ending and space or start
    local text = sub(stored, from, ending)
    if not scores[text] then
      texts[#texts + 1], scores[text] = text, sub(stored, start, from - 1)
    end
    start = ending + 1
    ending = find(stored, '\n', start, true)
  end
  return { stored = stored, head = head, texts = texts, scores = scores, bytes = size }
end

-- Adds a payload, unless an equal payload has no greater score. Payloads with equal scores stay in order
-- of arrival.
local function addLine(known, score, text)
  local texts, scores, before = known.texts, known.scores, known.scores[text]
  if before and not isLess(score, before) then
    return
  elseif before then
    local place = #texts
    while texts[place] ~= text do
      place = place - 1
    end
    table.remove(texts, place)
    known.bytes = known.bytes - #before - #text
  end
  -- Most payloads come last, so the search begins there.
  local low, middle, high = 1, #texts, #texts + 1
  while low < high do
    if isLess(score, scores[texts[middle]]) then
      high = middle
    else
      low = middle + 1
    end
    middle = math.floor((low + high) / 2)
  end
  table.insert(texts, low, text)
  scores[text], known.bytes, known.isChanged = score, known.bytes + #score + #text, true
end

-- Returns the job to store: all lines after the given head or, without a given head, after the head that
-- was read.
local function writeLines(known, head)
  local pieces = { head or known.head }
  for i, text in ipairs(known.texts) do
    pieces[2 * i], pieces[2 * i + 1] = known.scores[text], text
  end
  return table.concat(pieces)
end

-- Adds the payloads that arrived for a key while its job was running to that job, if it is waiting again.
local function rejoin(ids)
  for _, id in ipairs(ids) do
    local entry = redis.call('HGET', gathered, id)
    local stored = entry and redis.call('HGET', payloads, id)
    if stored then
      local known, others = readLines(stored), readLines(entry)
      for _, text in ipairs(others.texts) do
        addLine(known, others.scores[text], text)
      end
      redis.call('HDEL', gathered, id)
      redis.call('HSET', payloads, id, writeLines(known))
    end
  end
end

-- Makes the next jobs of keys from the payloads that arrived while the jobs of these keys were running.
local function promote(ids)
  local promoted, due = {}, 0
  for i, entry in ipairs(#ids > 0 and redis.call('HMGET', gathered, unpack(ids)) or {}) do
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
