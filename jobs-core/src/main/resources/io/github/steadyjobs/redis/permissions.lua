-- keys: nothing
--[[
  Finds out which commands the user who calls this may not run. Leaves nothing behind: Redis
  looks at permissions before anything else but the number of arguments, and no command gets
  any that it would carry out. Without "no-writes", which came with Redis 7, a field in the
  key makes commands for other types fail, and is the only one that others can write.

  ARGV     names of commands

  Returns the names that were refused, "key" in place of a name if the key was the reason.
]]
local function attempt(command)
  local answer
  -- Downwards, as the longest call is the one that most commands find senseless.
  for count = 7, 0, -1 do
    local arguments = { command }
    for i = 1, count do
      arguments[1 + i] = nothing
    end
    answer = redis.pcall(unpack(arguments))
    if type(answer) ~= 'table' or not answer.err or not string.find(answer.err, 'Wrong number of args', 1, true) then
      break
    end
  end
  return type(answer) == 'table' and answer.err or ''
end

local function refusal(command)
  local message = attempt(command)
  -- Before Redis 7.2 without the code NOPERM.
  if string.find(message, 'NOPERM', 1, true) or string.find(message, 'The user executing the script', 1, true) then
    return string.find(message, ' key', 1, true) and 'key' or command
  end
  return nil
end

for _, command in ipairs({ 'hdel', 'hset' }) do
  local refused = refusal(command)
  if refused then
    return { refused }
  end
end
local refused = {}
for _, command in ipairs(ARGV) do
  redis.pcall('HSET', nothing, nothing, '')
  refused[#refused + 1] = refusal(command)
end
redis.pcall('HDEL', nothing, nothing)
return refused
