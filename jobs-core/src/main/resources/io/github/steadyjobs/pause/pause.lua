-- keys: meta
--[[
  Updates the pauses that a queue knows. A pause that the queue already knows stays as it is, because
  the queue may have ended that pause, or its trial job may be running.

  ARGV[1]  version of the whole set of pauses
  ARGV[2]  pause of the queue: its version, its end or 0, and 'p' if one job is tried at the end,
           otherwise '-', joined by ' '; '' if the queue is not paused
  ARGV[3]  paused jobs: for each, a line with the same three values, ' ', and the name of the job

  Returns D if done. Returns S if the queue knows this version or a later version, or UPGRADE as
  enqueue.lua does; in both cases nothing is written.
]]
local schema, known, paused, probe, names =
  unpack(redis.call('HMGET', meta, 'schema', 'pauses', 'paused', 'probe', 'paused-jobs'))
if schema and tonumber(schema) > 2 then
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

-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
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
