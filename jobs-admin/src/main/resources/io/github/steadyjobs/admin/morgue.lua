-- keys: dead payloads
--[[
  Reads dead jobs, oldest first. Writes nothing.

  ARGV[1]  how many to skip
  ARGV[2]  how many to read, at most 100

  Returns {(id, payload)*}, without those that have no payload.
]]
local ids = redis.call('ZRANGE', dead, ARGV[1], ARGV[1] + math.min(ARGV[2], 100) - 1)
local answer = {}
for i, payload in ipairs(#ids > 0 and redis.call('HMGET', payloads, unpack(ids)) or {}) do
  if payload then
    answer[#answer + 1], answer[#answer + 2] = ids[i], payload
  end
end
return answer
