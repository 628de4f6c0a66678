-- keys: calls meta
-- The beginning of a numbered call, as ARGV of enqueue.lua says; firstJob tells it from others.
local last = redis.call('HGET', calls, ARGV[1])
if last and tonumber(string.match(last, '^%d+')) >= tonumber(ARGV[2]) then
  local number, first, answer = string.match(last, '^(%d+) %d+ (%S+) (.*)$')
  if number ~= ARGV[2] then
    return 'STALE'
  end
  return first == firstJob and answer or 'OTHER'
end
--#include hint
if tonumber(hint('HGET', meta, 'schema') or 0) > 1 then
  return 'UPGRADE'
end
local time = redis.call('TIME')
