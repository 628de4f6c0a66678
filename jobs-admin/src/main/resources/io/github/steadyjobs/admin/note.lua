-- keys: activity
--[[
  Records a change made by an operator at the head of the list, which keeps the last 1,000 entries. A
  further step of the same change adds to its entry and moves the entry to the head. The first write is a
  removal, so that Redis accepts the script even when its memory is full and operators delete jobs.

  An entry is a line '<number> <id> <begun> <at> <count> <calls>', followed by its content. The number
  is one more than the highest number in the list. The calls are the ids of the last 8 calls that have
  written the entry; a repeated copy of one of these calls changes nothing.

  ARGV[1]  the id of the change
  ARGV[2]  the id of this call
  ARGV[3]  the number of jobs or other objects that were changed
  ARGV[4]  the content; an entry with the same id but different content is not changed
  ARGV[5]  how many entries to search for the id, a multiple of 100

  Returns the time of Redis in milliseconds.
]]
--#include now
local former, begun, count, writers
for from = 0, ARGV[5] - 1, 100 do
  for _, entry in ipairs(redis.call('LRANGE', activity, from, from + 99)) do
    local id, first, done, senders, content = string.match(entry, '^%d+ (%x+) (%d+) %d+ (%d+) ([%x,]+)\n(.*)$')
    if id == ARGV[1] and content == ARGV[4] then
      former, begun, count, writers = entry, first, done, senders
      break
    end
  end
  if former then
    break
  end
end
if former and string.find(writers, ARGV[2], 1, true) then
  return now
end
local last = redis.call('LINDEX', activity, 0)
local number = (last and tonumber(string.match(last, '^%d+')) or 0) + 1
redis.call('LTRIM', activity, 0, 998)
if former then
  redis.call('LREM', activity, 1, former)
end
writers = string.sub((writers and writers .. ',' or '') .. ARGV[2], -8 * (#ARGV[2] + 1) + 1)
local entry = string.format('%.0f %s %s %.0f %.0f %s\n%s', number, ARGV[1], begun or string.format('%.0f', now), now,
  (count or 0) + ARGV[3], writers, ARGV[4])
redis.call('LPUSH', activity, entry)
return now
