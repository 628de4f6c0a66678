-- keys: ready scheduled retries suspects parked working backlog meta
--[[
  Closes a shard to producers that know an older shard count, if the shard has no jobs except dead jobs.

  ARGV[1]  version of the new shard count

  Returns CLOSED if done. Returns BUSY if the shard has other jobs, or UPGRADE as enqueue.lua does; in
  both cases nothing is written. The version of the shard is never lowered, because this call
  may be a late copy. Redis refuses the call if its memory is full.
]]
local schema, known = unpack(redis.call('HMGET', meta, 'schema', 'shards'))
if schema and tonumber(schema) > 2 then
  return 'UPGRADE'
end
if redis.call('EXISTS', ready, scheduled, retries, suspects, parked, working, backlog) > 0 then
  return 'BUSY'
end
if tonumber(known or 0) < tonumber(ARGV[1]) then
  redis.call('HSET', meta, 'shards', ARGV[1])
end
return 'CLOSED'
