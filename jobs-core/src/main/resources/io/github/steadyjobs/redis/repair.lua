--[[
  Brings ids to the one place where each belongs.

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
  KEYS[13]  meta
  KEYS[14]  wake

  ARGV[1…] up to 500 ids, each once

  Returns a letter an id: R for repaired, N if nothing was wrong. There is at least one
  letter and there may be fewer than ids, as a long list allows only few of them.

  An id with payload keeps the first of its places in the order below: what runs goes on
  running, what has a reason to wait goes on waiting, and nothing dead hides what is alive.
  Without a place it becomes due, by the time at which it was made; the next claim makes it
  ready. A foreign id goes to the dead, unless it runs. An id without payload loses its
  places, save the one in which a cancelled one waits to be met. A process that holds work
  and has no beat gets one, so that others see it stand still and take its work.

  'ready' may be of a wrong type and counts as empty then: as long as nobody can use it,
  finding out what was in it takes no search. The first write is a removal, which Redis
  accepts when its memory is full.
]]
if #ARGV > 500 then
  return redis.error_reply('ERR repair takes at most 500 ids at once; nothing was changed')
end
local order = { 'working', 'suspects', 'retries', 'scheduled', 'parked', 'ready', 'dead' }
local meetsCancelled = { working = true, suspects = true, ready = true }

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local readyIsThere = redis.call('TYPE', KEYS[10]).ok == 'list'
local length = redis.call('LLEN', KEYS[11]) + (readyIsThere and redis.call('LLEN', KEYS[10]) or 0)
local count = math.min(#ARGV, math.max(1, math.floor(500000 / (length + 1))))
local paused = redis.call('HGET', KEYS[13], 'paused')
-- Read before the first write: a key of a wrong type must not leave half a call behind.
redis.call('LLEN', KEYS[14])
local writes, due = {}, 0

local function later(write)
  writes[#writes + 1] = write
end

local function copiesIn(id, process)
  return {
    working = process and 1 or 0,
    suspects = #redis.call('LPOS', KEYS[11], id, 'COUNT', 0),
    retries = redis.call('ZSCORE', KEYS[4], id) and 1 or 0,
    scheduled = redis.call('ZSCORE', KEYS[3], id) and 1 or 0,
    parked = redis.call('HEXISTS', KEYS[6], id),
    ready = readyIsThere and #redis.call('LPOS', KEYS[10], id, 'COUNT', 0) or 0,
    dead = redis.call('ZSCORE', KEYS[5], id) and 1 or 0,
  }
end

local remove = {
  working = function(id) redis.call('HDEL', KEYS[2], id) end,
  suspects = function(id, surplus) redis.call('LREM', KEYS[11], surplus, id) end,
  retries = function(id) redis.call('ZREM', KEYS[4], id) end,
  scheduled = function(id) redis.call('ZREM', KEYS[3], id) end,
  parked = function(id) redis.call('HDEL', KEYS[6], id) end,
  ready = function(id, surplus) redis.call('LREM', KEYS[10], surplus, id) end,
  dead = function(id) redis.call('ZREM', KEYS[5], id) end,
}

local function creation(id)
  return string.format('%.0f', math.min(now, tonumber(string.sub(id, 1, 12), 16)))
end

local function repair(id)
  local before = #writes
  local payload = redis.call('HEXISTS', KEYS[1], id) == 1
  local cancelled = redis.call('SISMEMBER', KEYS[7], id) == 1
  local foreign = #id ~= 24 or string.find(id, '[^0-9a-f]')
  local holder = redis.call('HGET', KEYS[2], id)
  local process = holder and string.match(holder, '^([^/]+)/[^/]+/%d+%a*$')
  local beat = process and redis.call('HEXISTS', KEYS[12], process) == 1
  local noted = redis.call('HEXISTS', KEYS[8], id) + redis.call('HEXISTS', KEYS[9], id) > 0
  local copies = copiesIn(id, process)

  local keep
  for _, name in ipairs(order) do
    if not keep and copies[name] > 0 and (payload or (cancelled and meetsCancelled[name])) then
      keep = name
    end
  end
  if foreign and payload and keep ~= 'working' then
    keep = 'dead'
  end

  if holder and not process then
    later(function() remove.working(id) end)
  end
  for _, name in ipairs(order) do
    local surplus = copies[name] - (name == keep and 1 or 0)
    if surplus > 0 then
      later(function() remove[name](id, surplus) end)
    end
  end
  if cancelled and (payload or not keep) then
    later(function() redis.call('SREM', KEYS[7], id) end)
  end
  if noted and not payload and not (cancelled and keep) then
    later(function()
      redis.call('HDEL', KEYS[8], id)
      redis.call('HDEL', KEYS[9], id)
    end)
  end
  if keep == 'working' and not beat then
    later(function() redis.call('HSETNX', KEYS[12], process, '0') end)
  elseif keep == 'dead' and copies.dead == 0 then
    later(function() redis.call('ZADD', KEYS[5], string.format('%.0f', now), id) end)
  elseif payload and not keep then
    later(function() redis.call('ZADD', KEYS[3], creation(id), id) end)
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
  redis.call('HDEL', KEYS[1], '')
  for _, write in ipairs(writes) do
    write()
  end
  if due > 0 and not paused then
    --#include wake
    leaveTokens(KEYS[14], due)
  end
end
return table.concat(answer)
