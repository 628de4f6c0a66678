-- keys: payloads parked crashes cancelled lockof meta
--[[
  Forgets a job that another queue has now.

  ARGV[1]  id
  ARGV[2]  the other queue

  Returns D for done; C if the job was cancelled meanwhile, and has to be in the other queue
  too; A if it is no longer on its way there.
]]
redis.call('SCARD', cancelled)
local queue = string.match(redis.call('HGET', parked, ARGV[1]) or '', '^moving:(%S+) ')
if queue ~= ARGV[2] then
  return redis.call('SREM', cancelled, ARGV[1]) == 1 and 'C' or 'A'
end
redis.call('HLEN', payloads)
--#include end-locks
redis.call('HDEL', parked, ARGV[1])
redis.call('HDEL', payloads, ARGV[1])
redis.pcall('HDEL', crashes, ARGV[1])
redis.pcall('HINCRBY', meta, 'seq', 1)
if redis.pcall('HLEN', lockof) ~= 0 then
  endLocks({ ARGV[1] })
end
return 'D'
