# Enqueues with the real client: enqueue.rb <what> [<count>]
require_relative "workers"

count = ARGV.fetch(1, "1").to_i
case ARGV.fetch(0)
when "async"
  count.times { |i| puts HardWorker.perform_async(i, "text ü €", { "nested" => [1.5, 2.5] }) }
when "in"
  count.times { |i| puts HardWorker.perform_in(1, i, "later") }
when "later"
  count.times { |i| puts HardWorker.perform_in(3600, i, "much later") }
when "bulk"
  (0...count).each_slice(1000) { |slice| puts Sidekiq::Client.push_bulk("class" => HardWorker, "args" => slice.map { |i| [i] }) }
when "failing"
  count.times { |i| puts Invoices::SendJob.perform_async(i) }
else
  abort "unknown: #{ARGV[0]}"
end
