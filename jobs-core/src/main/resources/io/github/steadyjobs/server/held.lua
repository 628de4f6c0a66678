-- keys: working
--[[
  Reads which jobs a process holds, page by page. Writes nothing.

  ARGV[1]  process
  ARGV[2]  '0' or the cursor of the previous page
  ARGV[3]  size of the page, at most 1,000

  Returns {cursor, (id, claim)*}. A claim consists of capsule, number and mark. The cursor is '0' after
  the last page.
]]
local prefix = ARGV[1] .. '/'
local page = redis.call('HSCAN', working, ARGV[2], 'COUNT', math.min(ARGV[3], 1000))
local answer = { page[1] }
for i = 1, #page[2], 2 do
  local holder = page[2][i + 1]
  if string.sub(holder, 1, #prefix) == prefix then
    answer[#answer + 1], answer[#answer + 2] = page[2][i], string.sub(holder, #prefix + 1)
  end
end
return answer
