-- keys: meta
-- Why jobs were parked lately, so that workers look through the parked ones only if there may be
-- some that they can run. The field reasons of meta has a line for each of up to 20 reasons, the
-- latest one first: the number of changes of the data set at that time, a space, and the reason.

local function noteReason(seq, reason)
  if type(seq) ~= 'number' then
    return
  end
  local known = redis.pcall('HGET', meta, 'reasons')
  reason = string.gsub(reason, '%c', ' ')
  local lines = { string.format('%.0f %s\n', seq, reason) }
  for line, other in string.gmatch(type(known) == 'string' and known or '', '(%d+ ([^\n]+)\n)') do
    if other ~= reason and #lines < 20 then
      lines[#lines + 1] = line
    end
  end
  redis.pcall('HSET', meta, 'reasons', table.concat(lines))
end
