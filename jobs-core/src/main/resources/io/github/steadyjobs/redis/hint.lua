-- keys:
-- Reads or writes a key on which no job depends. A key of a wrong type counts as empty and stays as it
-- is.
local function hint(...)
  local answer = redis.pcall(...)
  if type(answer) ~= 'table' or not answer.err then
    return answer
  end
end
