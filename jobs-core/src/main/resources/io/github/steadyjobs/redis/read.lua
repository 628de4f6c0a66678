-- keys: payloads
--[[
  Reads the payloads of jobs, up to a total size. Writes nothing.

  ARGV[1]  number of bytes after which no more payloads are read
  ARGV[2…] ids, at most 1,000

  Returns the payloads in the order of the ids, false for a job without a payload. If the payloads are
  large, returns fewer payloads than there are ids, but at least one.
]]
local found, bytes = {}, 0
for i = 2, #ARGV do
  local payload = redis.call('HGET', payloads, ARGV[i])
  found[#found + 1] = payload
  bytes = bytes + (payload and #payload or 0)
  if bytes >= tonumber(ARGV[1]) then
    break
  end
end
return found
