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

-- Reads the lines of a stored job, so that lines can be added. If no job is stored, there are no
-- lines. Copies nothing, because copying a megabyte takes a millisecond.
local function readLines(stored)
  stored = stored or ''
  local find, start = string.find, headOf(stored) + 1
  local starts, count, next = { start }, 0, find(stored, '\n', start, true)
  while next do
    count = count + 1
    starts[count + 1] = next + 1
    next = find(stored, '\n', next + 1, true)
  end
  return { stored = stored, starts = starts, read = count, last = count, count = count,
    bytes = #stored - start + 1, scores = {}, texts = {} }
end

-- Returns the position at which the arguments of a line begin, including the space before them.
local function textAt(known, place)
  local start = known.starts[place]
  local space = string.find(known.stored, ' ', start, true)
  return space and space < known.starts[place + 1] and space or start
end

local function scoreOf(known, place)
  return known.scores[place] or string.sub(known.stored, known.starts[place], textAt(known, place) - 1)
end

local function textOf(known, place)
  return string.sub(known.stored, textAt(known, place), known.starts[place + 1] - 1)
end

-- Returns the place of an equal payload, if there is one. The first call searches the stored text. Later
-- calls use a table, because a search for each of many payloads would take seconds. The search
-- finds only whole payloads, because no JSON array ends with another JSON array.
local function findLine(known, text)
  local places = known.places
  if not places and not known.isAsked then
    known.isAsked = true
    local found, place = string.find(known.stored, string.sub(text, 2), known.starts[1], true), 0
    while found and known.starts[place + 1] <= found do
      place = place + 1
    end
    return found and place
  elseif not places then
    places = {}
    for place = 1, known.read do
      places[textOf(known, place)] = place
    end
    for place, added in pairs(known.texts) do
      if added then
        places[added] = place
      end
    end
    known.places = places
  end
  return places[text]
end

-- Adds a payload, or lowers the score of an equal payload at the given place.
local function addLine(known, score, text, place)
  if place and not isLess(score, scoreOf(known, place)) then
    return
  elseif place then
    known.bytes = known.bytes - #scoreOf(known, place) + #score
    known.texts[place] = false
  else
    known.count, known.bytes = known.count + 1, known.bytes + #score + #text
  end
  known.last, known.isAsked = known.last + 1, true
  known.scores[known.last], known.texts[known.last] = score, text
  if known.places then
    known.places[text] = known.last
  end
end

-- Returns the places of the added payloads, the smallest score first.
local function sortAdded(known)
  local scores, added, sorted = known.scores, {}, true
  for place = known.read + 1, known.last do
    if known.texts[place] then
      sorted = sorted and not (added[1] and isLess(scores[place], scores[added[#added]]))
      added[#added + 1] = place
    end
  end
  if not sorted then
    table.sort(added, function(one, other)
      return isLess(scores[one], scores[other]) or one < other and not isLess(scores[other], scores[one])
    end)
  end
  return added
end

-- Concatenates in two steps, because each step copies all of its data several times.
local function join(pieces, length)
  local blocks = {}
  for first = 1, length, 64 do
    blocks[#blocks + 1] = table.concat(pieces, '', first, math.min(first + 63, length))
  end
  return table.concat(blocks)
end

-- Returns the job to store: all lines, the smallest score first, after the given head or, without a
-- given head, after the head that was read. Lines with equal scores stay in order of arrival.
local function writeLines(known, head)
  local pieces, length, place = { head }, head and 1 or 0, 1
  local from = head and known.starts[1] or 1
  -- Writes the next part of the stored text, up to the line at the given place, without replaced lines.
  local function writeRead(before)
    for cut = place, before - 1 do
      if known.texts[cut] == false then
        length = length + 1
        pieces[length] = string.sub(known.stored, from, known.starts[cut] - 1)
        from = known.starts[cut + 1]
      end
    end
    length = length + 1
    pieces[length] = string.sub(known.stored, from, known.starts[before] - 1)
    from, place = known.starts[before], before
  end
  local behind = known.read + 1
  for _, new in ipairs(sortAdded(known)) do
    local score = known.scores[new]
    local before = behind > 1 and isLess(score, scoreOf(known, known.read)) and place or behind
    while before < behind and not isLess(score, scoreOf(known, before)) do
      before = before + 1
    end
    writeRead(before)
    pieces[length + 1], pieces[length + 2] = score, known.texts[new]
    length = length + 2
  end
  writeRead(behind)
  return join(pieces, length)
end

-- Adds the payloads that arrived for a key while its job was running to that job, if it is waiting again.
local function rejoin(ids)
  for _, id in ipairs(ids) do
    local entry = redis.call('HGET', gathered, id)
    local stored = entry and redis.call('HGET', payloads, id)
    if stored then
      local known, others = readLines(stored), readLines(entry)
      for place = 1, others.read do
        local text = textOf(others, place)
        addLine(known, scoreOf(others, place), text, findLine(known, text))
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
