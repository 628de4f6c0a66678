-- keys: payloads working scheduled retries dead parked cancelled crashes mutexes meta beats
--[[
  Tells where a job is, and what its queue is doing. Writes nothing.

  ARGV[1]  id

  Returns {place, detail, payload, crash, holder, paused, processes}: the name of the key that
  has the job, and its time or value there; what is counted in crashes; the job that it waits
  for, if that is why it is parked; the pause of its queue; how many processes serve that.
  A text is '' if there is none. A job that was cancelled while it runs has the payload ''.
  Returns {} if the queue has no such job.
]]
local function text(value)
  return type(value) == 'string' and value or ''
end

local id = ARGV[1]
local payload = redis.call('HGET', payloads, id)
local place, detail, holder = 'working', redis.call('HGET', working, id), ''
if not payload and not (detail and redis.call('SISMEMBER', cancelled, id) == 1) then
  return {}
end
local crash = text(redis.pcall('HGET', crashes, id))
if not detail then
  place, detail = 'scheduled', redis.call('ZSCORE', scheduled, id)
end
if not detail then
  place, detail = 'retries', redis.call('ZSCORE', retries, id)
end
if not detail then
  place, detail = 'dead', redis.call('ZSCORE', dead, id)
end
if not detail then
  place, detail = 'parked', redis.call('HGET', parked, id)
  local digest = string.match(detail or '', '^mutex:(.*)$')
  if digest then
    local known = redis.pcall('ZRANGE', mutexes, '[' .. digest .. '=', '(' .. digest .. '>', 'BYLEX', 'LIMIT', 0, 1)
    holder = string.sub(text(known[1]), #digest + 2)
  end
end
if not detail then
  place, detail = string.find(crash, ' alone', 1, true) and 'suspects' or 'ready', ''
end
local processes = redis.pcall('HLEN', beats)
return {
  place, detail, text(payload), crash, holder, text(redis.pcall('HGET', meta, 'paused')),
  type(processes) == 'number' and processes or 0,
}
