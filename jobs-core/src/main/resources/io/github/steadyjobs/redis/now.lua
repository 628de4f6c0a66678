-- keys:
-- The Redis time as seconds and microseconds, in microseconds, and in milliseconds.
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
