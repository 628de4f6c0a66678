-- keys: backlog
-- The backlog of an ordered key contains the payloads for which the stored job of the key has no room. The
-- stored job is the front of the key. While a key has a backlog, each new payload goes there, so payloads
-- in front arrived earlier than payloads in the backlog that have the same score. The members of the sorted
-- set backlog are in order as text. docs/wire-format.md describes them and the fields of backlogged.

local PLACE, DIGEST = 10, 24

-- Writes a score so that texts are in the order of isLess.
local function sortable(score)
  local value = (tonumber(score) or 0) + 0
  local high, low = struct.unpack('>I4I4', struct.pack('>d', value))
  if value < 0 then
    high, low = 4294967295 - high, 4294967295 - low
  else
    high = high + 2147483648
  end
  local text = string.format('%08x%08x', high, low)
  if math.abs(value) < 2 ^ 53 then
    return text
  end
  local sign, digits = string.match(score, '^(%-?)(%d+)$')
  if not digits then
    return text .. '~'
  end
  local length = #digits
  if sign == '-' then
    length = 999999 - length
    digits = string.gsub(digits, '%d', function(digit) return 9 - digit end)
  end
  return text .. string.format('%06d', length) .. digits
end

local function fieldOfMember(state, member)
  return state.number .. ':' .. string.sub(member, -DIGEST)
end

local function scoreIn(value)
  return string.sub(value, PLACE + 1, (string.find(value, ' ', PLACE + 1, true) or 0) - 1)
end

local function memberOf(field, value)
  local number, digest = string.match(field, '^(%x+:)(%x+)$')
  return number .. sortable(scoreIn(value)) .. string.sub(value, 1, PLACE) .. digest
end

-- Returns members of a backlog in order: the first ones, or those after a given member.
local function membersOf(number, count, member)
  local from = member and '(' .. member or '[' .. number .. ':'
  return redis.call('ZRANGE', backlog, from, '(' .. number .. ';', 'BYLEX', 'LIMIT', 0, count)
end

-- Reads an entry of backlogged. Returns nothing if it is missing or unreadable.
local function readBacklog(id, entry)
  local number, count, bytes, first, next = string.match(entry or '', '^(%x+) (%d+) (%d+) (%-?%d+) (%-?%d+)$')
  return number and { id = id, number = number, count = tonumber(count), bytes = tonumber(bytes),
    first = tonumber(first), next = tonumber(next) } or nil
end
