# Stands in for a Rails application. Processes that enqueue jobs load it, and processes that perform them.
require "sidekiq"

# Looks for due jobs about every second, instead of at random times within 15 seconds.
if Sidekiq.respond_to?(:options)
  Sidekiq.options[:poll_interval_average] = 1
else
  Sidekiq.configure_server { |config| config[:poll_interval_average] = 1 }
end

class HardWorker
  include Sidekiq::Worker
  sidekiq_options queue: "hard", tags: ["ruby"]

  # Records its arguments in a list that the test reads.
  def perform(*args)
    Sidekiq.redis { |redis| redis.rpush("performed", Sidekiq.dump_json("jid" => jid, "args" => args)) }
  end
end

module Invoices
  class SendJob
    include Sidekiq::Worker
    sidekiq_options queue: "hard", retry: 3, backtrace: 5, custom: { "kept" => true }

    def perform(*)
      raise ArgumentError, "no such invoice"
    end
  end
end
