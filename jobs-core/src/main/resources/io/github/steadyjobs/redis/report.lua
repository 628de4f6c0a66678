-- keys: report
--[[
  Writes the report of a process for operators, and reads their instructions to it.

  ARGV[1]  how long it is kept if it is not written again, in milliseconds
  ARGV[2…] name and value of each field

  Returns the numbers of the latest instructions to be quiet, to stop and to dump threads,
  each a text, or nothing if there was none.
]]
-- A removal first, which Redis accepts when its memory is full, and then what follows.
redis.call('HDEL', report, '')
redis.call('HSET', report, unpack(ARGV, 2))
redis.call('PEXPIRE', report, ARGV[1])
return redis.call('HMGET', report, 'quiet', 'stop', 'dump')
