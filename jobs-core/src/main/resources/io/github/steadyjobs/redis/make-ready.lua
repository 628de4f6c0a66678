-- keys: ready suspects crashes
-- Puts jobs into the lists in which they wait for a worker.
--#include hint
local function push(key, ids, toHead)
  if #ids > 0 and toHead then
    redis.call('RPUSH', key, unpack(ids))
  elseif #ids > 0 then
    redis.call('LPUSH', key, unpack(ids))
  end
end

-- Pushes up to 1,000 jobs. Jobs that have to run alone are put among the suspects.
local function makeReady(ids, toHead)
  local others, alone = ids, {}
  if not isBare and (hint('HLEN', crashes) or 0) > 0 and hint('LLEN', suspects) then
    others = {}
    for i, crash in ipairs(#ids > 0 and redis.call('HMGET', crashes, unpack(ids)) or {}) do
      local list = string.find(crash or '', ' alone', 1, true) and alone or others
      list[#list + 1] = ids[i]
    end
  end
  push(ready, others, toHead)
  push(suspects, alone, toHead)
end
