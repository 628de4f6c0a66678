-- keys:
-- A job that waits for a mutex is parked as 'mutex:digest'.

local function waitFor(digest)
  return 'mutex:' .. digest
end

-- Returns the digest of the mutex that a parked job waits for, or nothing.
local function awaited(reason)
  return string.match(reason or '', '^mutex:(.*)$')
end
