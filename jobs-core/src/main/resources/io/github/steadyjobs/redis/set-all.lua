-- keys:
-- Redis keeps a hash of up to 512 short entries as a list, and searches that for each field from its
-- beginning. A long value, removed at once, makes it a table until it is empty.

-- Sets fields of a hash that had about so many before.
local function setAll(key, entries, before)
  local isLarge = before <= 512 and before + #entries / 2 > 32
  if isLarge then
    entries[#entries + 1], entries[#entries + 2] = '', string.rep('-', 65)
  end
  if #entries > 0 then
    redis.call('HSET', key, unpack(entries))
  end
  if isLarge then
    redis.call('HDEL', key, '')
  end
end
