-- keys: meta
-- Stores why jobs were parked lately, so that workers look through the parked ones only if there
-- may be some that they can run. The field reasons of meta has a line for each of up to 20 reasons,
-- the latest one first: the number of changes of the data set at that time, a space, and the
-- reason.
--#include hint
local function noteReason(seq, reason)
  reason = string.gsub(reason, '%c', ' ')
  local lines = { string.format('%.0f %s\n', seq or 0, reason) }
  for line, other in string.gmatch(hint('HGET', meta, 'reasons') or '', '(%d+ ([^\n]+)\n)') do
    if other ~= reason and #lines < 20 then
      lines[#lines + 1] = line
    end
  end
  hint('HSET', meta, 'reasons', table.concat(lines))
end
