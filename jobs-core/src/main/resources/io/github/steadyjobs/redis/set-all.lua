-- keys:
-- Redis stores a hash with up to 512 short entries as a list, and searches the list from the beginning
-- for each field. Adding and removing a long value turns the list into a table until the hash is empty.
-- This is done for hashes that get more than 32 fields and may still be lists.

-- Sets fields of a hash, and returns how many of them are new. before is the approximate number of fields
-- that the hash had.
local function setAll(key, entries, before)
  local isLarge = before <= 512 and before + #entries / 2 > 32
  if isLarge then
    entries[#entries + 1], entries[#entries + 2] = '', string.rep('-', 65)
  end
  local added = #entries > 0 and redis.call('HSET', key, unpack(entries)) or 0
  if isLarge then
    redis.call('HDEL', key, '')
    added = added - 1
  end
  return added
end
