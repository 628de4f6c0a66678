-- keys: ready suspects crashes
-- Where jobs wait for a worker. crashes holds, by id, 'count milliseconds process',
-- followed by ' alone' if the job has to run with nothing beside it.

local function push(key, ids, toHead)
  if #ids == 0 then
    return
  end
  if toHead then
    redis.call('RPUSH', key, unpack(ids))
  else
    redis.call('LPUSH', key, unpack(ids))
  end
end

-- Pushes up to 1,000 jobs, those that have to run alone among the suspects.
local function makeReady(ids, toHead)
  local others, alone = ids, {}
  local crashed = redis.pcall('HLEN', crashes)
  if type(crashed) == 'number' and crashed > 0 and type(redis.pcall('LLEN', suspects)) == 'number' then
    others = {}
    for i, crash in ipairs(redis.call('HMGET', crashes, unpack(ids))) do
      local list = string.find(crash or '', ' alone', 1, true) and alone or others
      list[#list + 1] = ids[i]
    end
  end
  push(ready, others, toHead)
  push(suspects, alone, toHead)
end
