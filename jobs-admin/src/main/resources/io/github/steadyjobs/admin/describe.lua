-- keys: payloads cancelled crashes meta beats
--[[
  Returns where a job is, and the state of its queue. Writes nothing.

  ARGV[1]  id

  Returns {place, detail, payload, crash, holder, paused, processes, due}: the job's place; the job's
  time or value there; its payload; its entry in crashes; the holder of the mutex for which the job
  waits; the pause of its queue; the number of processes that serve the queue; and 1 if the time at which
  the job is due has passed, otherwise 0. Missing texts are ''. A job that was cancelled while it was
  running has the payload ''. Returns {} if the queue has no such job.
]]
--#include locate
--#include lock
--#include now
local id = ARGV[1]
local payload, place, detail = redis.call('HGET', payloads, id), locate(id)
if not payload and not (place == 'working' and redis.call('SISMEMBER', cancelled, id) == 1) then
  return {}
end
local crash = hint('HGET', crashes, id) or ''
if place == 'ready' and string.find(crash, ' alone', 1, true) then
  place = 'suspects'
end
local digest = place == 'parked' and awaited(detail)
local isTimed = place == 'scheduled' or place == 'retries'
return {
  place, detail, payload or '', crash, digest and mutexHolder(digest) or '', hint('HGET', meta, 'paused') or '',
  hint('HLEN', beats) or 0, isTimed and tonumber(detail) <= now and 1 or 0,
}
