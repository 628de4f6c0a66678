-- keys:
-- Reads or writes a key on which no job depends. A key of a wrong type reads as empty and is kept.
local function hint(...)
  local answer = redis.pcall(...)
  if type(answer) ~= 'table' or not answer.err then
    return answer
  end
end
