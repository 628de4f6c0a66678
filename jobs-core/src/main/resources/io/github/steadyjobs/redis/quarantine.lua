--[[
  Renames a key away whose value is of a wrong type. Nothing is deleted.

  KEYS[1]  damaged: the key
  KEYS[2]  quarantine: what to call it, a key of the same slot

  ARGV[1]  type that the key should have

  Returns 1 if it was renamed. Returns 0 if it is not there, is of the right type by now, or
  if the other name is taken.
]]
local type = redis.call('TYPE', KEYS[1]).ok
if type == 'none' or type == ARGV[1] then
  return 0
end
return redis.call('RENAMENX', KEYS[1], KEYS[2])
