-- keys: report
--[[
  Writes the report of a process for operators, and reads the operators' instructions to that process.

  ARGV[1]  milliseconds for which the report is kept if it is not written again
  ARGV[2…] name and value of each field

  Returns the numbers of the latest instructions to be quiet, to stop and to dump threads, each as a
  text, or nothing if there was no such instruction.
]]
-- This removes nothing, but lets Redis accept the writes that follow even if its memory is full.
redis.call('HDEL', report, '')
redis.call('HSET', report, unpack(ARGV, 2))
redis.call('PEXPIRE', report, ARGV[1])
return redis.call('HMGET', report, 'quiet', 'stop', 'dump')
