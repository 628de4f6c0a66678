-- keys: meta
--[[
  Updates the pauses that a queue knows. One that it knows already stays as it is, because its end may
  have come or a job may be tried.

  ARGV[1]  version of all pauses
  ARGV[2]  pause of the queue: version, end or 0, and 'p' if one job is tried then, otherwise '-'; or ''
  ARGV[3]  paused jobs: a line for each with the same, a space, and the name

  Returns D for done; S if the queue knows this version or a later one, or UPGRADE: then nothing is
  written.
]]
local schema, known, paused, probe, names =
  unpack(redis.call('HMGET', meta, 'schema', 'pauses', 'paused', 'probe', 'paused-jobs'))
if schema and tonumber(schema) > 1 then
  return 'UPGRADE'
end
if known and tonumber(known) >= tonumber(ARGV[1]) then
  return 'S'
end
--#include wake
--#include paused-names
--#include now
local version, ends, mark = string.match(ARGV[2], '^(%d+) (%d+) ([p-])$')
local isOver = not version or (mark == '-' and hasEnded({ ends = tonumber(ends) }, now))

-- A removal of nothing, which makes a full Redis accept what follows.
redis.call('HDEL', meta, '')
redis.call('HSET', meta, 'pauses', ARGV[1])
local before = readPauses(names)
local after = readPauses(ARGV[3])
for name, pause in pairs(after) do
  if before[name] and before[name].version == pause.version then
    pause.ends = before[name].ends
  end
end
if names or next(after) then
  writePauses(after)
end
if isOver then
  if paused or probe then
    redis.call('HDEL', meta, 'paused', 'probe')
    wakeWorkers(1)
  end
elseif probe ~= version and string.match(paused or '', '^%d+') ~= version then
  redis.call('HDEL', meta, 'probe')
  redis.call('HSET', meta, 'paused', ARGV[2])
end
return 'D'
