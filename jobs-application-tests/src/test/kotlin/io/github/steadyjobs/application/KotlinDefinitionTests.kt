package io.github.steadyjobs.application

import java.io.File
import java.net.URLClassLoader
import java.util.function.Supplier

import io.github.steadyjobs.Job
import io.github.steadyjobs.NotIdempotent
import io.github.steadyjobs.arguments.BeanMethod
import io.github.steadyjobs.arguments.JobJson
import io.github.steadyjobs.arguments.JobParameters
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.boot.WebApplicationType
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension
import tools.jackson.databind.json.JsonMapper

/**
 * Tests for how jobs in Kotlin are examined when an application starts.
 */
@ExtendWith(OutputCaptureExtension::class)
class KotlinDefinitionTests {

	@Test
	fun `run when function suspends is refused`(output: CapturedOutput) {
		val application = SpringApplicationBuilder(InvoiceApplication::class.java, SuspendingJobs::class.java)
			.web(WebApplicationType.NONE)
		assertThat(runCatching { application.run().close() }.isFailure).isTrue()
		assertThat(output).contains("a suspending function: it would count as done before its work is")
			.contains("Remove 'suspend', and call what suspends inside runBlocking")
	}

	@Test
	fun `problems when Jackson cannot read a data class name its module for Kotlin`() {
		val method = BeanMethod.find(StrictProperty::class.java, Job::class.java).single()
		val problems = mutableListOf<String>()
		JobParameters.of(method, method.argumentTypes(), JsonMapper()) { what, advice -> problems.add("$what. $advice") }
		assertThat(problems).singleElement().asString()
			.contains("which cannot be created again")
			.contains("Add tools.jackson.module:jackson-module-kotlin")
	}

	@Test
	fun `signature when null becomes allowed changes, so that parked jobs are looked at again`() {
		assertThat(listOf(signature<Strict>(), signature<Lenient>(), signature<StrictProperty>(),
			signature<LenientProperty>(), signature<DefaultProperty>()))
			.doesNotHaveDuplicates()
	}

	@Test
	fun `signature when kotlin-reflect is missing takes null as allowed`() {
		val jars = System.getProperty("java.class.path").split(File.pathSeparator)
			.filterNot { it.contains("kotlin-reflect") || it.contains("jackson-module-kotlin") }
			.map { File(it).toURI().toURL() }
		URLClassLoader(jars.toTypedArray(), ClassLoader.getPlatformClassLoader()).use {
			val strict = it.loadClass(StrictSignature::class.java.name).getDeclaredConstructor().newInstance()
			assertThat((strict as Supplier<*>).get()).isEqualTo(signature<Lenient>())
		}
	}

	class StrictSignature : Supplier<String> {

		override fun get() = signature<Strict>()

	}

	class SuspendingJobs {

		@Job
		@NotIdempotent("never runs")
		suspend fun send(text: String) {
			println(text)
		}

	}

	class Strict {

		@Job
		fun send(text: String) = println(text)

	}

	class Lenient {

		@Job
		fun send(text: String?) = println(text)

	}

	data class Required(val text: String, val number: Int)

	data class Optional(val text: String?, val number: Int)

	data class Defaulting(val text: String?, val number: Int = 0)

	class StrictProperty {

		@Job
		fun send(command: Required) = println(command)

	}

	class LenientProperty {

		@Job
		fun send(command: Optional) = println(command)

	}

	class DefaultProperty {

		@Job
		fun send(command: Defaulting) = println(command)

	}

}

private inline fun <reified T> signature(): String {
	val method = BeanMethod.find(T::class.java, Job::class.java).single()
	return JobParameters.of(method, method.argumentTypes(), JobJson.builder().build()) { _, _ -> }.signature()
}
