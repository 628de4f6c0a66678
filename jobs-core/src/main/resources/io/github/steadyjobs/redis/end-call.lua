-- keys: calls meta
-- The end of a numbered call that has stored jobs.
if redis.pcall('HINCRBY', meta, 'seq', 1) == 1 then
  redis.call('HSETNX', meta, 'schema', '1')
  redis.call('HSETNX', meta, 'epoch', time[1] .. '.' .. time[2] .. '/' .. ARGV[1])
  -- Above every number that an earlier data set can have reached.
  redis.call('HSET', meta, 'seq', time[1] .. string.format('%06d', time[2]))
end
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
