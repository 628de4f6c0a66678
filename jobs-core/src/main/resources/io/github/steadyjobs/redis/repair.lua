-- keys: payloads working scheduled retries dead parked cancelled crashes since ready suspects meta wake
--[[
  Brings ids to the one place where each belongs.

  ARGV[1…] up to 500 ids, each once

  Returns a letter an id: R for repaired, N if nothing was wrong. There is at least one
  letter, and there may be fewer than ids, because a long list allows only few of them.

  An id with payload keeps the first of its places in the order below: what runs goes on
  running, what has a reason to wait goes on waiting, and nothing dead hides what is alive.
  Without a place it becomes due, by the time at which it was made; the next claim makes it
  ready. An id without payload loses its places and what is known of it, except for the place
  in which a cancelled one waits to be met.

  'ready' may be of a wrong type and counts as empty then: as long as nobody can use it,
  finding out what was in it takes no search. The first write is a removal, which Redis
  accepts when its memory is full.
]]
if #ARGV > 500 then
  return redis.error_reply('ERR repair takes at most 500 ids at once; nothing was changed')
end
local order = { 'working', 'suspects', 'retries', 'scheduled', 'parked', 'ready', 'dead' }
local meetsCancelled = { working = true, suspects = true, ready = true, parked = true }

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local readyIsThere = redis.call('TYPE', ready).ok == 'list'
local length = redis.call('LLEN', suspects) + (readyIsThere and redis.call('LLEN', ready) or 0)
local count = math.min(#ARGV, math.max(1, math.floor(500000 / (length + 1))))
local paused = redis.call('HGET', meta, 'paused')
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', wake)
redis.call('HLEN', crashes)
redis.call('HLEN', since)
local writes, due = {}, 0

local function later(write)
  writes[#writes + 1] = write
end

local function copiesIn(id)
  return {
    working = redis.call('HEXISTS', working, id),
    suspects = #redis.call('LPOS', suspects, id, 'COUNT', 0),
    retries = redis.call('ZSCORE', retries, id) and 1 or 0,
    scheduled = redis.call('ZSCORE', scheduled, id) and 1 or 0,
    parked = redis.call('HEXISTS', parked, id),
    ready = readyIsThere and #redis.call('LPOS', ready, id, 'COUNT', 0) or 0,
    dead = redis.call('ZSCORE', dead, id) and 1 or 0,
  }
end

local remove = {
  working = function(id) redis.call('HDEL', working, id) end,
  suspects = function(id, surplus) redis.call('LREM', suspects, surplus, id) end,
  retries = function(id) redis.call('ZREM', retries, id) end,
  scheduled = function(id) redis.call('ZREM', scheduled, id) end,
  parked = function(id) redis.call('HDEL', parked, id) end,
  ready = function(id, surplus) redis.call('LREM', ready, surplus, id) end,
  dead = function(id) redis.call('ZREM', dead, id) end,
}

local function creation(id)
  return string.format('%.0f', math.min(now, tonumber(string.sub(id, 1, 12), 16) or now))
end

local function repair(id)
  local before = #writes
  local payload = redis.call('HEXISTS', payloads, id) == 1
  local isCancelled = redis.call('SISMEMBER', cancelled, id) == 1
  local copies = copiesIn(id)

  local keep
  for _, name in ipairs(order) do
    if not keep and copies[name] > 0 and (payload or (isCancelled and meetsCancelled[name])) then
      keep = name
    end
  end
  for _, name in ipairs(order) do
    local surplus = copies[name] - (name == keep and 1 or 0)
    if surplus > 0 then
      later(function() remove[name](id, surplus) end)
    end
  end
  if #writes > before and not payload and not keep then
    later(function()
      redis.call('SREM', cancelled, id)
      redis.call('HDEL', crashes, id)
      redis.call('HDEL', since, id)
    end)
  elseif payload and not keep then
    later(function() redis.call('ZADD', scheduled, creation(id), id) end)
    due = due + 1
  end
  return #writes > before and 'R' or 'N'
end

local answer = {}
for i = 1, count do
  answer[i] = repair(ARGV[i])
end
if #writes > 0 then
  -- A removal of nothing, which makes a full Redis accept what follows.
  redis.call('HDEL', payloads, '')
  for _, write in ipairs(writes) do
    write()
  end
  if due > 0 and not paused then
    --#include wake
    wakeWorkers(due)
  end
end
return table.concat(answer)
