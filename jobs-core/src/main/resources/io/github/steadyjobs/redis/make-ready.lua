-- keys: ready suspects crashes
-- Puts jobs where they wait for a worker. The key crashes holds, by id, 'count milliseconds
-- process', followed by ' alone' if the job has to run alone.
--#include hint

-- Pushes up to 1,000 jobs; those that have to run alone go to the suspects.
local function makeReady(ids, toHead)
  local push, others, alone = toHead and 'RPUSH' or 'LPUSH', ids, {}
  if not isBare and (hint('HLEN', crashes) or 0) > 0 and hint('LLEN', suspects) then
    others = {}
    for i, crash in ipairs(#ids > 0 and redis.call('HMGET', crashes, unpack(ids)) or {}) do
      local list = string.find(crash or '', ' alone', 1, true) and alone or others
      list[#list + 1] = ids[i]
    end
  end
  if #others > 0 then
    redis.call(push, ready, unpack(others))
  end
  if #alone > 0 then
    redis.call(push, suspects, unpack(alone))
  end
end
