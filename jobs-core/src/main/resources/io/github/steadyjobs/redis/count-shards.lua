-- keys: shards
--[[
  Writes how many shards a queue has, if nobody has changed that in between.

  ARGV[1]  queue
  ARGV[2]  what is expected to stand there, if anything does: '<version> <count>' or ''
  ARGV[3]  what to write: '<version> <count>' with a higher version

  Returns what stands there now.

  The first write is one that Redis refuses when its memory is full: then nothing changes.
]]
local present = redis.call('HGET', shards, ARGV[1])
if present and present ~= ARGV[2] then
  return present
end
redis.call('HSET', shards, ARGV[1], ARGV[3])
return ARGV[3]
