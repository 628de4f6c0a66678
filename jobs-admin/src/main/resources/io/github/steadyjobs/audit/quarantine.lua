-- keys: damaged quarantine
--[[
  Renames a key that holds a value of a wrong type. Nothing is deleted.

  ARGV[1]  type that the value should have

  Returns 1 if done; 0 if the key is gone or has the right type by now, or if the new name is taken.
]]
local type = redis.call('TYPE', damaged).ok
if type == 'none' or type == ARGV[1] then
  return 0
end
return redis.call('RENAMENX', damaged, quarantine)
