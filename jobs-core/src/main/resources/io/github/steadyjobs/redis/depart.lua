-- keys: parked
-- Parks a job on its way to another queue, as moving.lua reads it.

--#include note-reason
local function depart(id, target, place, at, begun, seq)
  redis.call('HSET', parked, id, string.format('moving:%s %s %s %s', target, place, at, begun))
  noteReason(seq, 'moving:')
end
