-- keys: payloads
--[[
  Reads the payloads of jobs, up to a total size. Writes nothing.

  ARGV[1]  number of bytes after which no more are read
  ARGV[2…] ids, at most 1,000

  Returns the payloads in that order, false for a job that has none. If they are large, there are fewer
  than ids, but always one.
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
