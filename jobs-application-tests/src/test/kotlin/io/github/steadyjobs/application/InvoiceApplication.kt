package io.github.steadyjobs.application

import java.math.BigDecimal
import java.util.UUID
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

import io.github.steadyjobs.Idempotent
import io.github.steadyjobs.Job
import io.github.steadyjobs.JobContext
import io.github.steadyjobs.NotIdempotent
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Component

/**
 * A typical application in Kotlin: its classes are open only if the compiler plugin opens
 * them.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(InvoiceJobs::class, PrintJob::class, OpenJobs::class)
class InvoiceApplication {

	@Bean
	fun notes() = Notes()

	@Bean
	fun finalJobs(notes: Notes) = FinalJobs(notes)

	@Bean
	fun finalMethodJobs(notes: Notes) = FinalMethodJobs(notes)

}

data class Line(val amount: BigDecimal, val isPaid: Boolean = false, val text: String? = null)

data class SendInvoice(val id: UUID, val template: String = "standard", val lines: List<Line> = emptyList())

data class Print(val pages: Int)

@JvmInline
value class CustomerId(val id: String)

@Component
class InvoiceJobs(private val notes: Notes) {

	@Job(queue = "mail")
	@NotIdempotent("notes it again")
	fun send(command: SendInvoice) {
		this.notes.add(command)
	}

	@Job
	@NotIdempotent("notes it again")
	fun remind(customer: String, text: String = "Please pay", copyTo: String? = null, times: Int? = null) {
		this.notes.add(listOf(customer, text, copyTo, times))
	}

	/** Has a different name in bytecode, like all functions that take a value class. */
	@Job(name = "invoices.close")
	@NotIdempotent("notes it again")
	fun close(customer: CustomerId) {
		this.notes.add(customer)
	}

	@Job
	@Idempotent(key = "#customer", includeScheduled = true)
	fun welcome(customer: String, job: JobContext) {
		this.notes.add("$customer, attempt ${job.attempt()}")
	}

}

@Job
@Component
@NotIdempotent("prints again")
class PrintJob(private val notes: Notes) {

	fun perform(print: Print) {
		this.notes.add(print)
	}

}

interface Greeter {

	@Job
	@NotIdempotent("notes it again")
	fun greet(name: String)

}

/** Final: the compiler plugin does not open the class, because it has no annotation. */
class FinalJobs(private val notes: Notes) : Greeter {

	override fun greet(name: String) {
		this.notes.add("Hello $name")
	}

}

/** Declared open, but its method is final. */
open class FinalMethodJobs(private val notes: Notes) {

	@Job
	@NotIdempotent("notes it again")
	fun run(text: String) {
		this.notes.add(text)
	}

}

/** Has a default value that needs a field, which is not set while a call is recorded. */
@Component
class OpenJobs(private val notes: Notes) {

	private val greeting: String = "Hello"

	@Job
	@NotIdempotent("notes it again")
	fun run(text: String = this.greeting.uppercase()) {
		this.notes.add(text)
	}

}

class Notes {

	private val notes: BlockingQueue<Any> = LinkedBlockingQueue()

	fun add(note: Any) {
		this.notes.add(note)
	}

	fun next(): Any? = this.notes.poll(30, TimeUnit.SECONDS)

}
