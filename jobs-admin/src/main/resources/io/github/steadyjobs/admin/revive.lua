-- keys: working payloads dead scheduled retries gathered cancelled meta stats backlog backlogged
--[[
  Lets a dead payload of an ordered job run again, with the payloads that wait for its key. If the key's
  job is running, the payload waits for the next run. Otherwise that job loses its failures, and becomes
  ready unless it is parked.

  ARGV[1]  id under which the dead payload is kept
  ARGV[2]  id of the payload's key
  ARGV[3]  envelope without the failure, newline, and payload with its score; '' to forget the payload
  ARGV[4]  version of the shard count with which the key belongs to this shard
  ARGV[5]  maximum number of payloads that wait for a key

  Returns D if done. Otherwise nothing is written: returns A if no dead payload has this id;
  F if too many payloads would wait, as in gather.lua; MOVED and a version if the shard count has changed.
]]
local id = ARGV[2]
if not redis.call('ZSCORE', dead, ARGV[1]) then
  return 'A'
end
local version = redis.call('HGET', meta, 'shards')
if ARGV[3] ~= '' and version and tonumber(version) > tonumber(ARGV[4]) then
  return 'MOVED ' .. version
end
--#include wake
--#include merge-backlog
local running = redis.call('HEXISTS', working, id) == 1
local stored = redis.call('HGET', payloads, id)
local revived = readLines(ARGV[3])
local lines = readLines(running and (redis.call('HGET', gathered, id) or '') or stored)
lines.running = running and readLines(stored)
local kept = readBacklog(id, redis.call('HGET', backlogged, id))
redis.call('ZCARD', backlog)
local head = string.sub(ARGV[3], 1, headOf(ARGV[3]))
local text = revived.texts[1]
if text then
  local score, limit = revived.scores[text], tonumber(ARGV[5])
  if lines.scores[text] or #lines.texts == 0 or not kept and hasRoom(lines, score, text, limit) then
    addLine(lines, score, text)
  elseif not (kept or mayBegin(limit)) or not offerAll({ { kept or beginBacklog(id, head), score, text } }, limit)[1] then
    return 'F'
  end
end
local merged = writeLines(lines, head)

--#include fate
--#include make-ready
-- This removal lets Redis accept the writes that follow even if its memory is full.
redis.call('ZREM', dead, ARGV[1])
redis.call('HDEL', payloads, ARGV[1])
hint('HINCRBY', meta, 'seq', 1)
if ARGV[3] == '' then
  return 'D'
end
hint('HINCRBY', stats, 'revived', 1)
writeBacklogs()
if running then
  redis.call('HSET', gathered, id, string.format('%.0f ', now) .. merged)
  return 'D'
end
redis.call('HSET', payloads, id, merged)
local waited = redis.call('ZREM', scheduled, id) + redis.call('ZREM', retries, id) == 1
-- A cancelled job still has its entry in the place where it waited, and continues from there.
local stands = hint('SREM', cancelled, id) == 1
if waited or not stored and not stands then
  makeReady({ id }, false)
end
wakeWorkers(1)
return 'D'
