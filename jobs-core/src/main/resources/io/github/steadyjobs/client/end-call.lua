-- keys: calls
-- The end of a numbered call that has stored jobs.
--#include data-set
countChange(ARGV[1])
redis.call('HSET', calls, ARGV[1], ARGV[2] .. ' ' .. time[1] .. ' ' .. firstJob .. ' ' .. answer)
return answer
