-- keys: backlog backlogged gathered payloads meta
-- Puts payloads of ordered jobs into backlogs and takes them out again. See backlog.lua.
--#include backlog
--#include merge-payloads

local FRONT_LINES, FRONT_BYTES = 64, 65536
local RUN_LINES, RUN_BYTES = 1000, 1048576
local MOST_BYTES = 67108864

-- Returns whether a key that has no backlog may begin one. With a small limit, the front has room for all
-- payloads, as in the first layout.
local function mayBegin(limit)
  return limit > RUN_LINES
end

-- Returns whether a payload can be added to the front of a key without a backlog. Payloads that are
-- running count too, because they may join the front again.
local function hasRoom(front, score, text, limit)
  local running = front.running or { bytes = 0, texts = {} }
  local lines, bytes = limit, RUN_BYTES
  if mayBegin(limit) then
    lines, bytes = FRONT_LINES, FRONT_BYTES
  end
  return #front.texts + #running.texts < lines and front.bytes + running.bytes + #score + #text <= bytes
end

local function fieldOf(state, text)
  return state.number .. ':' .. string.sub(redis.sha1hex(text), 1, DIGEST)
end

-- What has to be written: entries and members by their fields, members to remove, states of backlogs, and
-- the number of the latest new backlog.
local entries, members, removed, changed, newBacklogs = {}, {}, {}, {}, nil

-- Begins the backlog of a key.
local function beginBacklog(id, envelope)
  newBacklogs = newBacklogs or tonumber(redis.call('HGET', meta, 'backlogs') or 0)
  local number
  repeat
    newBacklogs = newBacklogs + 1
    number = string.format('%x', newBacklogs)
  until not membersOf(number, 1)[1]
  return { id = id, number = number, count = 0, bytes = 0, first = 0, next = 0, envelope = envelope }
end

local function putEntry(state, field, place, score, text)
  local arrival = string.format('%010x', 2 ^ 39 + place)
  entries[field] = arrival .. score .. text
  members[field] = state.number .. ':' .. sortable(score) .. arrival .. string.sub(field, -DIGEST)
  state.bytes = state.bytes + #score + #text
  changed[state.id] = state
end

-- Offers payloads to backlogs: {state, score, text}*. Of equal payloads in a backlog, the one with the
-- smaller score is kept. Returns for each payload whether it is stored.
local function offerAll(offers, limit)
  local fields, stored = {}, {}
  for i, offer in ipairs(offers) do
    fields[i] = fieldOf(offer[1], offer[3])
  end
  local found = redis.call('HMGET', backlogged, unpack(fields))
  for i, offer in ipairs(offers) do
    local state, score, text = unpack(offer)
    local field = fields[i]
    local known = entries[field] or found[i]
    stored[i] = known or (state.count < limit - FRONT_LINES and state.bytes + #score + #text <= MOST_BYTES)
    local isNeeded = stored[i] and not (known and not isLess(score, scoreIn(known)))
    if isNeeded and not known then
      state.count = state.count + 1
    elseif isNeeded then
      state.bytes = state.bytes - #known + PLACE
      if not entries[field] then
        removed[#removed + 1] = memberOf(field, known)
      end
    end
    if isNeeded then
      putEntry(state, field, state.next, score, text)
      state.next = state.next + 1
    end
  end
  return stored
end

-- Calls a command with up to 1,000 of the given arguments at a time.
local function inSteps(command, key, arguments)
  for from = 1, #arguments, 1000 do
    redis.call(command, key, unpack(arguments, from, math.min(from + 999, #arguments)))
  end
end

-- Writes all changes. Begins with a command that Redis refuses if its memory is full.
local function writeBacklogs()
  local values, added, size = {}, {}, 0
  for field, value in pairs(entries) do
    values[size + 1], values[size + 2] = field, value
    added[size + 1], added[size + 2] = 0, members[field]
    size = size + 2
  end
  for id, state in pairs(changed) do
    values[#values + 1] = id
    values[#values + 1] = string.format('%s %.0f %.0f %.0f %.0f', state.number, math.max(0, state.count),
      math.max(0, state.bytes), state.first, state.next)
    if state.envelope then
      values[#values + 1], values[#values + 2] = state.number .. ':', state.envelope
    end
  end
  inSteps('HSET', backlogged, values)
  inSteps('ZADD', backlog, added)
  inSteps('ZREM', backlog, removed)
  if newBacklogs then
    redis.call('HSET', meta, 'backlogs', string.format('%.0f', newBacklogs))
    if (tonumber(redis.call('HGET', meta, 'schema') or 0) or 0) < 2 then
      -- Processes of the first layout would take the front for the whole key.
      redis.call('HSET', meta, 'schema', '2')
    end
  end
end

-- Removes the entries of a backlog that are equal to payloads in front and do not have a smaller score.
-- Returns the payloads in front that are needed. The others have an equal entry with a smaller score.
local function dropEqual(state, front)
  local fields, needed, gone = {}, {}, {}
  for i, text in ipairs(front.texts) do
    fields[i] = fieldOf(state, text)
  end
  local found = #fields > 0 and redis.call('HMGET', backlogged, unpack(fields))
  for i, text in ipairs(front.texts) do
    local value = found[i]
    if not (value and isLess(scoreIn(value), front.scores[text])) then
      needed[#needed + 1] = text
      if value then
        gone[#gone + 1] = fields[i]
        redis.call('ZREM', backlog, memberOf(fields[i], value))
        state.count, state.bytes = state.count - 1, state.bytes - #value + PLACE
      end
    end
  end
  inSteps('HDEL', backlogged, gone)
  return needed
end

-- Opens a key to take its first payloads, at most the given number. Returns three functions: peek
-- returns the first payload as a line, or nothing; take takes it; close removes what was taken from the
-- backlog, puts payloads into the backlog that are left in front, and returns whether there is a backlog.
local function openBacklog(state, front, most)
  local texts, scores = dropEqual(state, front), front.scores
  local first, values = membersOf(state.number, most + 1), {}
  local step = math.floor(RUN_BYTES * math.max(1, state.count) / math.max(1, state.bytes))
  step = math.max(1, math.min(1000, step))
  local from, to, isFront = 1, 1, false

  local function readValues()
    local fields, last = {}, math.min(to + step - 1, #first)
    for i = to, last do
      fields[#fields + 1] = fieldOfMember(state, first[i])
    end
    for i, value in ipairs(#fields > 0 and redis.call('HMGET', backlogged, unpack(fields)) or {}) do
      values[to + i - 1] = value
    end
  end

  local function peek()
    while not values[to] do
      if to <= #first and values[to] == nil then
        readValues()
      elseif to <= #first then
        to = to + 1
      else
        -- More members are needed only if the hash lacks the payloads of some earlier members.
        local more = #first > most and membersOf(state.number, most + 1, first[#first]) or {}
        if #more == 0 then
          break
        end
        for _, member in ipairs(more) do
          first[#first + 1] = member
        end
      end
    end
    local value, text = values[to], texts[from]
    isFront = text and not (value and isLess(scoreIn(value), scores[text]))
    if isFront then
      return scores[text] .. text
    end
    return value and string.sub(value, PLACE + 1)
  end

  local function take()
    if isFront then
      from = from + 1
    else
      state.count, state.bytes = state.count - 1, state.bytes - #values[to] + PLACE
      to = to + 1
    end
  end

  local function close()
    local gone, fields = {}, {}
    for i = 1, to - 1 do
      gone[i], fields[i] = first[i], fieldOfMember(state, first[i])
    end
    inSteps('ZREM', backlog, gone)
    inSteps('HDEL', backlogged, fields)
    for place = #texts, from, -1 do
      local text = texts[place]
      state.first, state.count = state.first - 1, state.count + 1
      putEntry(state, fieldOf(state, text), state.first, scores[text], text)
    end
    if to > #first and next(entries) == nil then
      redis.call('HDEL', backlogged, state.id, state.number .. ':')
      return false
    end
    changed[state.id] = state
    writeBacklogs()
    entries, members, changed = {}, {}, {}
    return true
  end
  return peek, take, close
end

local function envelopeOf(state)
  return redis.call('HGET', backlogged, state.number .. ':')
end

-- Takes the first payload out of a backlog. Returns the job to store for it, or nothing.
local function takeFirst(state)
  local envelope = envelopeOf(state)
  local peek, take, close = openBacklog(state, readLines(), 1)
  local line = peek()
  if line then
    take()
  end
  close()
  return line and (envelope or '\n') .. line
end

-- Prepares the run of a key: returns the job with the first payloads of the front and the backlog, and
-- how many payloads it took. What is left becomes the next job of the key. A job whose key has no backlog
-- is returned unchanged, with the number 0.
local function takeRunOf(id, stored)
  local state = readBacklog(id, redis.call('HGET', backlogged, id))
  if not state then
    return stored, 0
  end
  local head = string.sub(stored, 1, headOf(stored))
  local envelope = envelopeOf(state) or head
  local peek, take, close = openBacklog(state, readLines(stored), RUN_LINES + 1)
  local pieces, count, bytes, line = { head }, 0, 0, peek()
  while line and count < RUN_LINES and (count == 0 or bytes + #line <= RUN_BYTES) do
    count, bytes = count + 1, bytes + #line
    pieces[count + 1] = line
    take()
    line = peek()
  end
  if line then
    take()
    -- The key is being served now, so the waiting time of its next job begins now.
    local time = string.format('%.0f', now)
    envelope = string.gsub(envelope, '"enqueued_at":%d+', '"enqueued_at":' .. time, 1)
    redis.call('HSET', gathered, id, time .. ' ' .. envelope .. line)
  end
  close()
  local run = table.concat(pieces)
  redis.call('HSET', payloads, id, run)
  return run, count
end

-- Removes some payloads of a dropped backlog. Returns whether there was one.
local function sweepBacklogs()
  local mark = redis.call('ZRANGE', backlog, '[!', '("', 'BYLEX', 'LIMIT', 0, 1)[1]
  if not mark then
    return false
  end
  local state, fields = { number = string.sub(mark, 2, -2) }, {}
  local gone = membersOf(state.number, 1000)
  for i, member in ipairs(gone) do
    fields[i] = fieldOfMember(state, member)
  end
  if #gone < 1000 then
    gone[#gone + 1], fields[#fields + 1] = mark, state.number .. ':'
  end
  redis.call('ZREM', backlog, unpack(gone))
  redis.call('HDEL', backlogged, unpack(fields))
  return true
end
