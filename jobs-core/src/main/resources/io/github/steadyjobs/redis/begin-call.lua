-- keys: calls meta
-- Begins a numbered call, with ARGV[1] and ARGV[2] as in enqueue.lua. firstJob distinguishes the
-- call from other calls with the same number. If the call must not be carried out, ends the script with
-- the stored answer, STALE, OTHER or UPGRADE, as enqueue.lua describes.
local last = redis.call('HGET', calls, ARGV[1])
if last and tonumber(string.match(last, '^%d+')) >= tonumber(ARGV[2]) then
  local number, first, answer = string.match(last, '^(%d+) %d+ (%S+) (.*)$')
  if number ~= ARGV[2] then
    return 'STALE'
  end
  return first == firstJob and answer or 'OTHER'
end
--#include hint
if tonumber(hint('HGET', meta, 'schema') or 0) > 2 then
  return 'UPGRADE'
end
local time = redis.call('TIME')
