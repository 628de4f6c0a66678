-- keys: working payloads dead ready crashes meta stats
--[[
  Moves the first payload of an ordered job that waits to the dead set, and trims that. The others
  go on: at once, if the job did not wait for its time.

  ARGV[1]  where it is: 'ready', 'suspects', 'scheduled', 'retries' or 'parked'
  ARGV[2]  id
  ARGV[3]  SHA-1 of what is stored, in hex
  ARGV[4]  id under which the dead payload is kept
  ARGV[5]  the job with this payload alone
  ARGV[6]  the job with the other payloads, without its failures; '' if there are none
  ARGV[7]  number of dead jobs to keep
  ARGV[8]  age in milliseconds up to which they are kept

  Returns D for done; A if the job is no longer there, runs or has changed. Writes nothing for A.
]]
local place, id, goesOn = ARGV[1], ARGV[2], ARGV[6] ~= ''
local stored = redis.call('HGET', payloads, id)
if not stored or redis.call('HEXISTS', working, id) == 1 or redis.sha1hex(stored) ~= ARGV[3] then
  return 'A'
end
--#include take-out
--#include trim
local stays = goesOn and (place == 'ready' or place == 'scheduled')
if not stays and not takeOut(id, place) then
  return 'A'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A removal, maybe of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', payloads, goesOn and '' or id)
redis.call('HSET', payloads, ARGV[4], ARGV[5])
redis.call('ZADD', dead, string.format('%.0f', now), ARGV[4])
if goesOn then
  redis.call('HSET', payloads, id, ARGV[6])
end
if goesOn and not stays then
  redis.call('LPUSH', ready, id)
  wakeWorkers(1)
end
hint('HDEL', crashes, id)
hint('HINCRBY', meta, 'seq', 1)
hint('HINCRBY', stats, 'dead', 1)
trimDead(now, tonumber(ARGV[7]), tonumber(ARGV[8]))
return 'D'
