-- keys: backlog backlogged
-- Drops the backlogs of ordered keys whose jobs are removed (see backlog.lua). A backlog may be large, so
-- it is only marked here, and claims remove its payloads step by step. Payloads that arrive later begin a
-- new backlog. The keys are read before the first write.
redis.call('ZCARD', backlog)
local backlogs = redis.call('HLEN', backlogged)

local function dropBacklogs(ids)
  for i, entry in ipairs(backlogs > 0 and #ids > 0 and redis.call('HMGET', backlogged, unpack(ids)) or {}) do
    local number = string.match(entry or '', '^(%x+) ')
    if number then
      redis.call('HDEL', backlogged, ids[i])
      redis.call('ZADD', backlog, 0, '!' .. number .. ':')
    end
  end
end
