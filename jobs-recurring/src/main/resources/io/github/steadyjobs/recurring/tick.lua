-- keys: ticks ticked payloads meta working
--[[
  Handles ticks of recurring jobs, each along with the missed ones before it.

  ARGV     for each of up to 1,000 ticks, ticks of the same name in order:
           - the name
           - digest of its definition, the earliest tick to handle, the latest one, when that is due,
             the next one or '-', and a letter to store: 'E' for a job in time, 'M' for one that makes
             up for missed ticks, 'S' for none; joined by ' '
           - id and payload of its job, the expiry and the lock, as enqueue.lua takes them, or ''

  Returns {OK, time, (status, next)*} or {UPGRADE}: Redis time, and for each tick a status and the tick
  that is next now, or ''. The status is the answer of enqueue.lua for its job; S without a job; A if
  the job exists already. Nothing is written for E, if the tick is not due yet; G, if another one is
  next; C, if another definition is in force. So a tick that is sent twice, late, or by two processes
  makes one job.
]]
if #ARGV > 6000 then
  return redis.error_reply('ERR tick handles at most 1000 ticks at once; nothing was changed')
end
--#include hint
if tonumber(hint('HGET', meta, 'schema') or 0) > 1 then
  return { 'UPGRADE' }
end
--#include now
local reply, done, known = { 'OK', now }, {}, {}
local jobs, locked, makers = { '', '', '' }, {}, {}
for i = 1, #ARGV, 6 do
  local name, id = ARGV[i], ARGV[i + 2]
  local digest, first, last, due, following, letter =
    string.match(ARGV[i + 1], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  local state = known[name] or { digest = string.match(redis.call('HGET', ticked, name) or '', '^%S+'),
    next = redis.call('ZSCORE', ticks, name) or '' }
  local status = 'S'
  if state.digest ~= digest then
    status = 'C'
  elseif tonumber(state.next) ~= tonumber(first) then
    status = 'G'
  elseif now < tonumber(due) then
    status = 'E'
  else
    known[name] = { digest = digest, next = following == '-' and '' or following }
    state = known[name]
    local tick = { name = name, place = #reply + 1, letter = letter, next = state.next,
      seen = string.format('%s %s %.0f ', digest, last, now), job = id == '' and '-' or id }
    done[#done + 1] = tick
    if id ~= '' and (redis.call('HEXISTS', payloads, id) == 1 or redis.call('HEXISTS', working, id) == 1) then
      -- Redis has lost data, and an older state was restored.
      status = 'A'
    elseif id ~= '' then
      makers[#makers + 1] = tick
      jobs[#jobs + 1], jobs[#jobs + 2] = id, ARGV[i + 3]
      locked[#locked + 1], locked[#locked + 2], locked[#locked + 3] = ARGV[i + 4], '', ARGV[i + 5]
    end
  end
  reply[#reply + 1], reply[#reply + 2] = status, state.next
end

local count, width, answer, newReady, newScheduled, earliest = #makers, 5, 'S', {}, {}, nil
if count > 0 then
  local ARGV = jobs
  for _, argument in ipairs(locked) do
    ARGV[#ARGV + 1] = argument
  end
  --#include admit
end
local holder = string.gmatch(answer, ' (%S+)')
for n, tick in ipairs(makers) do
  local letter = answer == 'S' and 'S' or string.sub(answer, n, n)
  if letter == 'D' or letter == 'R' then
    tick.job = holder()
  end
  if letter ~= 'S' then
    tick.letter = letter
    reply[tick.place] = (letter == 'D' or letter == 'R') and letter .. ' ' .. tick.job or letter
  end
end
for _, tick in ipairs(done) do
  redis.call('HSET', ticked, tick.name, tick.seen .. tick.letter .. ' ' .. tick.job)
  if tick.next == '' then
    redis.call('ZREM', ticks, tick.name)
  else
    redis.call('ZADD', ticks, tick.next, tick.name)
  end
end

--#include put-new
putNew(newReady, newScheduled, earliest, 0)
--#include data-set
if #newReady > 0 then
  countChange(newReady[1])
end
return reply
