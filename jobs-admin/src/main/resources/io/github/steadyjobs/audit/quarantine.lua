-- keys: damaged quarantine
--[[
  Renames a key with a value of a wrong type. Nothing is deleted.

  ARGV[1]  type that the key should have

  Returns 1 if it was renamed. Returns 0 if it is not there, is of the right type by now, or
  if the other name is taken.
]]
local type = redis.call('TYPE', damaged).ok
if type == 'none' or type == ARGV[1] then
  return 0
end
return redis.call('RENAMENX', damaged, quarantine)
