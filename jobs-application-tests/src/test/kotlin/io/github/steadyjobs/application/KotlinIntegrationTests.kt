package io.github.steadyjobs.application

import java.math.BigDecimal
import java.time.Duration
import java.util.UUID

import io.github.steadyjobs.EnqueueResult
import io.github.steadyjobs.InvalidJobException
import io.github.steadyjobs.JobClient
import io.github.steadyjobs.JobContext
import io.github.steadyjobs.JobPayload
import io.github.steadyjobs.JobRequest
import io.github.steadyjobs.arguments.JobJson
import io.github.steadyjobs.definition.JobRegistry
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/**
 * Tests for jobs in Kotlin: data classes, value classes, null and default values.
 */
@SpringBootTest(classes = [InvoiceApplication::class])
class KotlinIntegrationTests(@param:Autowired private val jobs: JobClient, @param:Autowired private val notes: Notes,
		@param:Autowired private val registry: JobRegistry) {

	private val id = UUID.randomUUID()

	@Test
	fun `enqueue when argument is a data class runs the job with an equal one`() {
		val command = SendInvoice(this.id, "final", listOf(Line(BigDecimal("1.10"), true), Line(BigDecimal.ZERO)))
		this.jobs.enqueue(command)
		assertThat(this.notes.next()).isEqualTo(command)
	}

	@Test
	fun `enqueue when class was opened by the compiler plugin records the call`() {
		this.jobs.enqueue(InvoiceJobs::class.java) { it.send(SendInvoice(this.id)) }
		assertThat(this.notes.next()).isEqualTo(SendInvoice(this.id))
	}

	@Test
	fun `enqueue when call leaves arguments out stores their default values`() {
		this.jobs.enqueue(InvoiceJobs::class.java) { it.remind("Ada") }
		assertThat(this.notes.next()).isEqualTo(listOf("Ada", "Please pay", null, null))
		this.jobs.enqueue(InvoiceJobs::class.java) { it.remind("Ada", copyTo = "Bob", times = 2) }
		assertThat(this.notes.next()).isEqualTo(listOf("Ada", "Please pay", "Bob", 2))
	}

	@Test
	fun `enqueue when argument is a value class stores its value`() {
		this.jobs.enqueue(InvoiceJobs::class.java) { it.close(CustomerId("ada")) }
		assertThat(this.notes.next()).isEqualTo(CustomerId("ada"))
		this.jobs.enqueue(JobRequest.named("invoices.close", "bob"))
		assertThat(this.notes.next()).isEqualTo(CustomerId("bob"))
	}

	@Test
	fun `enqueue when default value needs the bean says what failed`() {
		assertThatExceptionOfType(InvalidJobException::class.java)
			.isThrownBy { this.jobs.enqueue(OpenJobs::class.java) { it.run() } }
			.withMessageContaining("default value needs the object")
			.withMessageContaining("Pass the argument")
	}

	@Test
	fun `enqueue when key names a parameter finds the duplicate`() {
		val request = JobRequest.of(InvoiceJobs::class.java) { it.welcome("Ada", JobContext.none()) }
			.after(Duration.ofHours(1))
		val first = this.jobs.enqueue(request)
		assertThat(this.jobs.enqueue(request)).isInstanceOf(EnqueueResult.Duplicate::class.java)
		assertThat(this.jobs.cancel(first.id())).isTrue()
	}

	@Test
	fun `enqueue when class is the job finds it by its argument`() {
		this.jobs.enqueue(Print(3))
		assertThat(this.notes.next()).isEqualTo(Print(3))
	}

	@Test
	fun `enqueue when class is final says how to open it and takes the other ways`() {
		assertThatExceptionOfType(InvalidJobException::class.java)
			.isThrownBy { this.jobs.enqueue(FinalJobs::class.java) { it.greet("Ada") } }
			.withMessageContaining("cannot be recorded, since it is final")
			.withMessageContaining("Or open the class: the compiler plugin 'spring' opens classes")
		this.jobs.enqueue(Greeter::class.java) { it.greet("Ada") }
		assertThat(this.notes.next()).isEqualTo("Hello Ada")
		this.jobs.enqueue(JobRequest.named("FinalJobs.greet", "Bob"))
		assertThat(this.notes.next()).isEqualTo("Hello Bob")
	}

	@Test
	fun `enqueue when only the method is final names it`() {
		assertThatExceptionOfType(InvalidJobException::class.java)
			.isThrownBy { this.jobs.enqueue(FinalMethodJobs::class.java) { it.run("text") } }
			.withMessageContaining("calls no method that could be recorded")
			.withMessageContaining("which here are run.")
	}

	@Test
	fun `enqueue when null is not allowed refuses it`() {
		assertThatExceptionOfType(InvalidJobException::class.java)
			.isThrownBy { this.jobs.enqueue(JobRequest.named("InvoiceJobs.remind", null, "text", null, null)) }
			.withMessageContaining("args[0] is null")
			.withMessageContaining("Expected: String")
	}

	@Test
	fun `bind when properties are missing takes their default values`() {
		assertThat(bind("InvoiceJobs.send", """[{"id":"$id","lines":[{"amount":1}]}]"""))
			.containsExactly(SendInvoice(this.id, "standard", listOf(Line(BigDecimal.ONE))))
	}

	@Test
	fun `bind when a property that cannot be null is missing or null names it`() {
		assertMisfit("InvoiceJobs.send", """[{"template":"final"}]""", "args[0].id: expected UUID, found nothing")
		assertMisfit("InvoiceJobs.send", """[{"id":null}]""", "args[0].id: expected UUID, found null")
		assertMisfit("InvoiceJobs.send", """[{"id":"$id","lines":[{"amount":1},{}]}]""",
			"args[0].lines[1].amount: expected BigDecimal, found nothing")
		assertMisfit("PrintJob", """[{}]""", "args[0].pages: expected int, found nothing")
	}

	@Test
	fun `bind when an argument that cannot be null is missing or null names it`() {
		assertMisfit("InvoiceJobs.remind", """["Ada"]""", "args[1]: expected String, found nothing")
		assertMisfit("InvoiceJobs.remind", """[null,"text",null,null]""", "args[0]: expected String, found null")
		assertThat(bind("InvoiceJobs.remind", """["Ada","text",null]""")).containsExactly("Ada", "text", null, null)
	}

	private fun assertMisfit(job: String, arguments: String, message: String) {
		assertThatExceptionOfType(InvalidJobException::class.java).isThrownBy { bind(job, arguments) }
			.withMessageEndingWith(message)
	}

	private fun bind(job: String, arguments: String): Array<Any?> {
		val stored = """{"jid":"0","class":"$job","args":$arguments,"queue":"default"}"""
		return this.registry.find(job)!!.parameters()
			.bind(JobPayload.read(JobJson.builder().build(), stored.toByteArray()), JobContext.none())
	}

}
