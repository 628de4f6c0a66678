-- keys: ticks ticked payloads meta working
--[[
  Handles ticks of recurring jobs, each together with the missed ticks before it.

  ARGV     for each of up to 1,000 ticks, with ticks of the same name in order:
           - the name
           - the digest of the definition; the earliest tick to handle; the latest tick to handle; when
             the latest tick is due; the next tick or '-'; and a letter to store: 'E' for a job on time,
             'M' for a job that makes up for missed ticks, 'S' for no job; joined by ' '
           - the id and payload of its job, and its expiry and lock as in enqueue.lua; each can be ''

  Returns {OK, time, (status, next)*} or {UPGRADE}: the Redis time, and for each tick a status and the
  tick that is next now, or ''. The status is the answer of enqueue.lua for the job of the tick; S if
  there is no job, or if the job exists already; G if another tick is next, or if the tick is not due
  yet; G with '' as the next tick if another definition is in force. Nothing is written for G. So a tick
  that is sent twice, late, or by two processes creates at most one job.
]]
if #ARGV > 6000 then
  return redis.error_reply('ERR tick handles at most 1000 ticks at once; nothing was changed')
end
--#include hint
if tonumber(hint('HGET', meta, 'schema') or 0) > 2 then
  return { 'UPGRADE' }
end
--#include now
local reply, states, done, makers = { 'OK', now }, {}, {}, {}
local jobs, locked = { '', '', '' }, {}
for i = 1, #ARGV, 6 do
  local name, id = ARGV[i], ARGV[i + 2]
  local digest, first, last, due, following, letter =
    string.match(ARGV[i + 1], '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  local state = states[name] or { digest = string.match(redis.call('HGET', ticked, name) or '', '^%S+'),
    next = redis.call('ZSCORE', ticks, name) or '' }
  states[name] = state
  local status = 'S'
  if state.digest ~= digest then
    status, state.next = 'G', ''
  elseif tonumber(state.next) ~= tonumber(first) or now < tonumber(due) then
    status = 'G'
  else
    state.next = following == '-' and '' or following
    local tick = { name = name, place = #reply + 1, letter = letter, next = state.next,
      seen = string.format('%s %s %.0f ', digest, last, now), job = id == '' and '-' or id }
    done[#done + 1] = tick
    -- If an older state was restored after a loss of data, the job may exist already.
    if id ~= '' and redis.call('HEXISTS', payloads, id) == 0 and redis.call('HEXISTS', working, id) == 0 then
      makers[#makers + 1] = tick
      jobs[#jobs + 1], jobs[#jobs + 2] = id, ARGV[i + 3]
      locked[#locked + 1], locked[#locked + 2], locked[#locked + 3] = ARGV[i + 4], '', ARGV[i + 5]
    end
  end
  reply[#reply + 1], reply[#reply + 2] = status, state.next
end

local count, width, answer, newReady, newScheduled, earliest, others = #makers, 5, 'S', {}, {}, nil, 0
if count > 0 then
  local ARGV = jobs
  for _, argument in ipairs(locked) do
    ARGV[#ARGV + 1] = argument
  end
  --#include admit
  local duplicates = 0
  for n, tick in ipairs(makers) do
    local status = letters[n] or 'S'
    if status == 'D' or status == 'R' then
      duplicates = duplicates + 1
      tick.letter, tick.job = status, string.sub(holders[duplicates], 2)
      status = status .. holders[duplicates]
    end
    reply[tick.place] = status
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

if #newReady > 0 then
  --#include put-new
end
return reply
