-- keys: meta
-- Counts a change that has stored a job. The first one begins a data set, which is named by begin.
--#include hint
local function countChange(begin)
  if hint('HINCRBY', meta, 'seq', 1) == 1 then
    redis.call('HSETNX', meta, 'schema', '1')
    redis.call('HSETNX', meta, 'epoch', time[1] .. '.' .. time[2] .. '/' .. begin)
    -- Greater than any number that an earlier data set can have reached.
    redis.call('HSET', meta, 'seq', time[1] .. string.format('%06d', time[2]))
  end
end
