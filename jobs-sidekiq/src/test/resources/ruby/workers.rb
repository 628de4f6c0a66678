# What a Rails application would have: loaded by the processes that enqueue and by those that perform.
require "sidekiq"

# Looks for due jobs every second, and not at random within 15 of them.
if Sidekiq.respond_to?(:options)
  Sidekiq.options[:poll_interval_average] = 1
else
  Sidekiq.configure_server { |config| config[:poll_interval_average] = 1 }
end

class HardWorker
  include Sidekiq::Worker
  sidekiq_options queue: "hard", tags: ["ruby"]

  # Notes what it was given in a list, where the test looks.
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
