-- keys: meta
-- Reads and writes the names of paused jobs in the field paused-jobs of meta (see
-- docs/wire-format.md). A job that waits for the end of a pause is parked as 'paused:name'.

-- Returns the paused name for which a job is parked, or nothing if it is parked for another reason.
local function pausedName(reason)
  return string.match(reason, '^paused:(.*)$')
end

local function readPauses(text)
  local byName = {}
  for version, ends, mark, name in string.gmatch(text or '', '(%d+) (%d+) ([p-]) ([^\n]+)\n') do
    byName[name] = { version = version, ends = tonumber(ends), mark = mark }
  end
  return byName
end

local function writePauses(byName)
  local lines = {}
  for name, pause in pairs(byName) do
    lines[#lines + 1] = string.format('%s %.0f %s %s\n', pause.version, pause.ends, pause.mark, name)
  end
  if #lines > 0 then
    redis.call('HSET', meta, 'paused-jobs', table.concat(lines))
  else
    redis.call('HDEL', meta, 'paused-jobs')
  end
end

local function hasEnded(pause, now)
  return pause.ends > 0 and pause.ends <= now
end
