--[[
  Gives ready jobs to a capsule, after making those ready that are due.

  KEYS[1]   beats
  KEYS[2]   meta
  KEYS[3]   claims
  KEYS[4]   working
  KEYS[5]   ready
  KEYS[6]   payloads
  KEYS[7]   scheduled
  KEYS[8]   retries
  KEYS[9]   since
  KEYS[10]  cancelled
  KEYS[11]  wake
  KEYS[12]  stats

  ARGV[1]  process
  ARGV[2]  capsule
  ARGV[3]  number of this claim, greater by one than that of the capsule's claim before
  ARGV[4]  number of jobs wanted, at least 1
  ARGV[5]  number of ids that may be moved in one step, at least as many, at most 1,000

  Returns {OK, now, delay, left, (id, payload)*}: Redis time, milliseconds until the next
  job is due or -1, and the number of jobs that are still ready. The same number gives the
  same jobs again, as far as they are still claimed by it: its reply was lost.
  Returns {PAUSED, now} if the queue gives out nothing.
  Returns {STALE} if a later claim was carried out: nobody waits for this one.
  Returns {FENCED} if the process has not joined the queue or was taken for dead.
  Returns {UPGRADE} if a newer version of this library has changed the queue's layout.

  The first write is a removal, which Redis accepts when its memory is full, and what
  follows it is let through: a full Redis can be worked empty.
]]
local claimant = ARGV[1] .. '/' .. ARGV[2]
local token = claimant .. '/' .. ARGV[3]
local wanted, bound = tonumber(ARGV[4]), tonumber(ARGV[5])

local beat = redis.call('HGET', KEYS[1], ARGV[1])
if not beat or beat == 'FENCED' then
  return { 'FENCED' }
end
local meta = redis.call('HMGET', KEYS[2], 'schema', 'paused')
if meta[1] and tonumber(meta[1]) > 1 then
  return { 'UPGRADE' }
end
local last = redis.call('HGET', KEYS[3], claimant)
local lastNumber = last and string.match(last, '^%d+')
if lastNumber and tonumber(lastNumber) > tonumber(ARGV[3]) then
  return { 'STALE' }
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = { 'OK', now, -1, 0 }

local function untilDue(key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and math.max(0, tonumber(first[2]) - now)
end

local function leastOf(one, other)
  return one and other and math.min(one, other) or one or other or -1
end

if lastNumber == ARGV[3] then
  for id in string.gmatch(last, ' (%S+)') do
    if redis.call('HGET', KEYS[4], id) == token then
      local payload = redis.call('HGET', KEYS[6], id)
      if payload then
        answer[#answer + 1] = id
        answer[#answer + 1] = payload
      else
        -- Cancelled since: it ends here, as nobody will hear of it.
        redis.call('HDEL', KEYS[4], id)
        redis.call('SREM', KEYS[10], id)
      end
    end
  end
  answer[3] = leastOf(untilDue(KEYS[7]), untilDue(KEYS[8]))
  answer[4] = redis.call('LLEN', KEYS[5])
  return answer
end

if meta[2] then
  -- A removal of nothing, for a full Redis.
  redis.call('HDEL', KEYS[3], '')
  redis.call('HSET', KEYS[3], claimant, ARGV[3])
  return { 'PAUSED', now }
end

local function makeReady(key)
  local due = untilDue(key)
  if due ~= 0 then
    return due
  end
  local found = redis.call('ZRANGE', key, '-inf', now, 'BYSCORE', 'LIMIT', 0, bound, 'WITHSCORES')
  local ids, since = {}, {}
  for i = 1, #found, 2 do
    ids[#ids + 1] = found[i]
    since[#since + 1] = found[i]
    since[#since + 1] = found[i + 1]
  end
  redis.call('ZREM', key, unpack(ids))
  redis.call('LPUSH', KEYS[5], unpack(ids))
  redis.call('HSET', KEYS[9], unpack(since))
  return untilDue(key)
end

-- Read before the first write: an id that was popped and cannot be recorded is lost.
redis.call('HLEN', KEYS[4])
redis.call('HLEN', KEYS[6])
redis.call('LLEN', KEYS[5])
redis.call('ZCARD', KEYS[8])
local waking = redis.call('LLEN', KEYS[11])

local scheduledDue = makeReady(KEYS[7])
answer[3] = leastOf(scheduledDue, makeReady(KEYS[8]))

local claimed, tokens, asked = {}, {}, 0
while #claimed < wanted and asked < bound do
  local count = math.min(wanted - #claimed, bound - asked)
  asked = asked + count
  local ids = redis.call('RPOP', KEYS[5], count)
  if not ids then
    break
  end
  local payloads = redis.call('HMGET', KEYS[6], unpack(ids))
  for i, id in ipairs(ids) do
    if payloads[i] then
      claimed[#claimed + 1] = id
      tokens[#tokens + 1] = id
      tokens[#tokens + 1] = token
      answer[#answer + 1] = id
      answer[#answer + 1] = payloads[i]
    elseif redis.call('SREM', KEYS[10], id) == 0 then
      redis.call('HINCRBY', KEYS[12], 'dropped', 1)
    end
  end
  if redis.call('EXISTS', KEYS[9]) == 1 then
    redis.call('HDEL', KEYS[9], unpack(ids))
  end
end

if #claimed > 0 then
  redis.call('HSET', KEYS[4], unpack(tokens))
  redis.call('HSET', KEYS[3], claimant, ARGV[3] .. ' ' .. table.concat(claimed, ' '))
else
  redis.call('HSET', KEYS[3], claimant, ARGV[3])
end
answer[4] = redis.call('LLEN', KEYS[5])
if answer[4] > 0 and waking == 0 then
  redis.call('LPUSH', KEYS[11], '1')
end
return answer
