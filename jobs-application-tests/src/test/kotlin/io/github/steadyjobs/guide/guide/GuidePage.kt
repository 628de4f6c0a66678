package io.github.steadyjobs.guide.guide

import java.util.UUID

import io.github.steadyjobs.Job
import io.github.steadyjobs.JobClient
import io.github.steadyjobs.NotIdempotent
import org.springframework.stereotype.Component

interface Mailer {

	fun send(id: UUID, template: String)

	fun remind(customer: String, text: String, copyTo: String?)

}

/** The code of `docs/guide.md`. */
fun guide(jobs: JobClient, id: UUID) {

	data class SendInvoice(val id: UUID, val template: String = "standard")

	@Component
	class InvoiceJobs(private val mailer: Mailer) {

		@Job(queue = "mail")
		@NotIdempotent("a second mail does no harm")
		fun send(command: SendInvoice) = mailer.send(command.id, command.template)

		@Job
		@NotIdempotent("a second mail does no harm")
		fun remind(customer: String, text: String = "Please pay", copyTo: String? = null) = mailer.remind(customer, text, copyTo)

	}

	jobs.enqueue(SendInvoice(id))
	jobs.enqueue(InvoiceJobs::class.java) { it.remind("ada@example.org") }

}
