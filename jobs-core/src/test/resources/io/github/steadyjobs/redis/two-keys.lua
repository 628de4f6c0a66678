-- keys: one other
return redis.call('EXISTS', one, other)
