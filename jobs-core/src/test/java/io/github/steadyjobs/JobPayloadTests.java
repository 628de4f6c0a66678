package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.JobJson;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobPayload}.
 */
class JobPayloadTests {

	private static final JsonMapper MAPPER = JobJson.builder().build();

	@ParameterizedTest
	@ValueSource(strings = { "", ",'queue':'mail'", ",'retry':true", ",'retry':false", ",'retry':0", ",'retry':12",
			",'retry':-1", ",'retry':3000000000", ",'retry':'no'", ",'retry':null", ",'dead':false", ",'dead':true",
			",'dead':0", ",'retry_for':3600", ",'retry_for':1.5", ",'retry_for':-1", ",'retry_for':'1d'",
			",'retry_for':99999999999999", ",'retry_queue':'slow'", ",'retry_queue':'a b'", ",'retry_queue':7",
			",'retry_queue':null", ",'backtrace':true", ",'backtrace':false", ",'backtrace':20", ",'backtrace':-1",
			",'expires_at':1767225600000", ",'expires_at':-5", ",'expires_at':1.5", ",'timeout':90000", ",'timeout':0",
			",'timeout':true", ",'queue':null", ",'queue':7", ",'created_at':1767225600000,'enqueued_at':1767225600001",
			",'created_at':1767225600000,'at':1767225600001", ",'created_at':'1767225600000'", ",'created_at':1.5",
			",'at':123456789012345678901234567890", ",'enqueued_at':null", ",'tags':[]", ",'tags':['a','\u00fc','a']",
			",'tags':['a',1]", ",'tags':'a'", ",'meta':{}", ",'meta':{'tenant':'acme','trace':'\u00fc'}",
			",'meta':{'a':1}", ",'meta':{'a':{}}", ",'retry_count':3,'failed_at':1767225600000",
			",'unknown':[{'a':1}]" })
	@DisplayName("SK-37: a stored job is read the same way, with or without building a tree")
	void readSaysWhatATreeSays(String fields) {
		for (String form : List.of("{'jid':'a','class':'b','args':[1,{'c':[]}]%s}",
				" {%s ,'args' : [ ] ,\n'class':'\u0062\u00e4','jid':'\u4e00a' } ",
				"{'args':[['%%']],'jid':'','class':''%s}")) {
			String at = form.startsWith(" ") ? fields.replaceFirst(",", "") : fields;
			byte[] stored = form.formatted(at.isEmpty() && form.startsWith(" ") ? "'queue':'q'" : at)
				.replace('\'', '"')
				.getBytes(StandardCharsets.UTF_8);
			assertSame(JobPayload.read(MAPPER, stored), JobPayload.of((ObjectNode) MAPPER.readTree(stored)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "'enqueued_at':1767225600001", "'at':1767225600001", "'enqueued_at':1,'tags':['a','b']",
			"'enqueued_at':1,'meta':{'tenant':'acme','trace':''}", "'at':0,'tags':['a'],'meta':{'a':'b'}" })
	@DisplayName("SK-37: after any change, a stored job is read the same way, with or without building a tree")
	void readWhenWrittenHereMakesNoTree(String fields) {
		for (String form : List.of("{'jid':'a','class':'b','args':[],'queue':'q','retry':true,'created_at':9,%s}",
				"{'jid':'a','class':'b','args':[1,{'c':['}]ä']},'\\'\\\\'],'queue':'q','retry':12,'dead':false,'created_at':0,%s}",
				"{'jid':'a','class':'b','args':[],'queue':'q','retry':1,'retry_for':60,'retry_queue':'slow','backtrace':2,'expires_at':5,'timeout':7,'created_at':0,%s}",
				"{'jid':'a','class':'b','args':[],'queue':'q','retry':1,'dead':false,'expires_at':5,'created_at':0,%s}")) {
			byte[] written = form.formatted(fields).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
			assertThat(JobPayload.read(MAPPER, written)).extracting("json").isNull();
			assertSame(JobPayload.read(MAPPER, written), JobPayload.of((ObjectNode) MAPPER.readTree(written)));
			for (int at = 0; at < written.length; at++) {
				for (char other : "\"\\{]:,0 -.e\u00ff".toCharArray()) {
					byte[] changed = written.clone();
					changed[at] = (byte) other;
					assertSaysWhatATreeSays(changed);
				}
				assertSaysWhatATreeSays(Arrays.copyOf(written, at));
				byte[] shorter = Arrays.copyOf(written, written.length - 1);
				System.arraycopy(written, at + 1, shorter, at, shorter.length - at);
				assertSaysWhatATreeSays(shorter);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "retry_for", "backtrace", "expires_at", "timeout", "retry_count", "created_at",
			"enqueued_at", "at", "failed_at", "retried_at", "score" })
	@DisplayName("SK-37: a number that is out of range is ignored, so that the job can be read")
	void readWhenNumberIsOutOfRangePassesItOver(String field) {
		String one = "{'jid':'a','class':'b','args':[],'%s':%s}";
		for (String number : List.of("1795377856000000", "1795377856000000000", "999999999999999999",
				"9223372036854775807", "-9223372036854775808", "9223372036854775808", "99999999999999999999999999",
				"-1795377856000000000", "2147483648", "-2147483649", "1e308", "-1e308", "1e999999999", "1e-999999999",
				"0.1")) {
			assertReads(one.formatted(field, number));
			// Read the same number from a job in the format that this library writes.
			String written = "{'jid':'a','class':'b','args':[],'queue':'q','retry':true,'created_at':1,'at':2}";
			assertReads(written.contains(field + "'") ? written.replaceFirst("(?<='" + field + "':)\\w+", number)
					: written.replace(",'created_at'", ",'%s':%s,'created_at'".formatted(field, number)));
		}
		if (field.equals("expires_at")) {
			assertThat(assertReads(one.formatted(field, "1795377856000000000")).limits()).isSameAs(JobLimits.NONE);
		}
	}

	private static JobPayload assertReads(String json) {
		JobPayload read = JobPayload.read(MAPPER, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
		assertThat(read.id()).isEqualTo("a");
		assertThat(read.retries(25)).isNotNegative();
		assertThat(read.attempts()).isNotNegative();
		assertThat(read.limits()).isNotNull();
		assertThat(read.createdAt()).isNotNull();
		assertThat(read.enqueuedAt()).isNotNull();
		Stream.of(read.at(), read.failedAt(), read.retriedAt())
			.filter(Objects::nonNull)
			.forEach((time) -> assertThat(Duration.between(Instant.EPOCH, time).toMillis()).isNotNull());
		return read;
	}

	private static void assertSaysWhatATreeSays(byte[] stored) {
		JobPayload tree;
		try {
			tree = JobPayload.of((ObjectNode) MAPPER.readTree(stored));
		}
		catch (JacksonException | NumberFormatException | ClassCastException | InvalidJobException ex) {
			assertThatExceptionOfType(InvalidJobException.class).as(() -> new String(stored, StandardCharsets.UTF_8))
				.isThrownBy(() -> JobPayload.read(MAPPER, stored).arguments());
			return;
		}
		if (Envelope.read(stored) != null) {
			assertSame(JobPayload.read(MAPPER, stored), tree);
		}
	}

	private static void assertSame(JobPayload read, JobPayload tree) {
		assertThat(read)
			.usingRecursiveComparison(RecursiveComparisonConfiguration.builder().withComparedFields("envelope").build())
			.ignoringFieldsMatchingRegexes("envelope\\.arguments.*")
			.isEqualTo(tree);
		try (JsonParser parser = read.parseArguments(MAPPER)) {
			assertThat((Object) MAPPER.readTree(parser)).isEqualTo(tree.arguments());
		}
		assertThat(read.json()).isEqualTo(tree.json());
		assertThat(read).isEqualTo(tree).hasSameHashCodeAs(tree);
	}

	@Test
	void readWhenNotUtf8FindsTheArguments() {
		byte[] stored = "{\"jid\":\"a\",\"class\":\"b\",\"args\":[\"ä\"]}".getBytes(StandardCharsets.UTF_16BE);
		try (JsonParser parser = JobPayload.read(MAPPER, stored).parseArguments(MAPPER)) {
			assertThat(MAPPER.readTree(parser).get(0).stringValue()).isEqualTo("ä");
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "{'jid':'a','class':'b','args':[],'jid':'c'}", "{'jid':'a','class':'b','args':[],'args':[]}",
					"{'jid':'a','class':'b','args':[],'meta':{'a':'b','a':'c'}}", "{'jid':'a','class':'b','args':[]} 1",
					"{'jid':'a','class':'b','args':[1,]}", "{'jid':'a','class':'b','args':[}", "{'jid':'a','class':'b'",
					"{'jid':'a','class':'b','args':[],'x':1,'x':2}" })
	void readWhenARuleIsBrokenSaysSo(String json) {
		byte[] stored = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobPayload.read(MAPPER, stored))
			.withMessageStartingWith("The payload is not JSON, or breaks a rule of the wire format: line 1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'a':1,'a':2}", "1 2", "{]", "tru", "1,", "1e9999999999" })
	void argumentsWhenARuleIsBrokenThereSaySo(String arguments) {
		byte[] stored = "{'jid':'a','class':'b','args':[%s],'queue':'q','retry':true,'created_at':1,'enqueued_at':1}"
			.formatted(arguments)
			.replace('\'', '"')
			.getBytes(StandardCharsets.UTF_8);
		JobPayload payload = JobPayload.read(MAPPER, stored);
		assertThat(payload.name()).isEqualTo("b");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(payload::arguments)
			.withMessageStartingWith("The payload is not JSON, or breaks a rule of the wire format");
	}

	@Test
	void withFailureKeepsTheLastTen() {
		JobPayload job = payload("a", "b");
		List<JobFailure> failures = new ArrayList<>();
		for (int number = 0; number < 12; number++) {
			failures.add(new JobFailure(Instant.ofEpochMilli(number), "java.io.IOException", "no. " + number, "p.1",
					(number % 2 == 0) ? Duration.ofMillis(number) : null));
			job = job.withFailure(failures.get(number));
		}
		assertThat(written(job).failures()).isEqualTo(failures.subList(2, 12));
		assertThat(job.withoutFailure().failures()).isEqualTo(failures.subList(2, 12));
		assertThat(job.attempts()).isZero();
		assertThat(payload("a", "b").failures()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\n \r\n first\nsecond", "first\r\n\r\nsecond", "first\rsecond", "first" })
	void withFailureKeepsTheFirstLineOfTheMessage(String message) {
		assertThat(payload("a", "b").withFailure(failure("A", message)).failures()).extracting(JobFailure::message)
			.containsExactly("first");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "\"", "\u0001", "\u00e4", "\u4e00", "\ud83d\ude00", ".\ud83d\ude00" })
	void withFailureTakesFourKilobytesAtMost(String letters) {
		JobPayload job = payload("a", "b");
		for (int number = 0; number < 12; number++) {
			String text = letters.repeat(5000);
			job = job.withFailure(new JobFailure(Instant.ofEpochMilli(number), text, text, text, Duration.ofDays(1)));
			assertThat(MAPPER.writeValueAsBytes(job.field("attempts"))).hasSizeBetween(500, 4096);
			assertThat(written(job).failures().get(job.failures().size() - 1).time())
				.isEqualTo(Instant.ofEpochMilli(number));
		}
		for (JobFailure failure : job.failures()) {
			assertThat(letters.repeat(1000)).startsWith(failure.errorClass()).startsWith(failure.message());
		}
	}

	@Test
	void withFailureLeavesOutTheOldestThatHaveNoRoom() {
		JobPayload job = payload("a", "b").withFailure(failure("A", "first"));
		for (int number = 0; number < 8; number++) {
			job = job.withFailure(failure("B", number + "x".repeat(1000)));
		}
		assertThat(job.failures()).hasSizeBetween(5, 7)
			.allSatisfy((failure) -> assertThat(failure.message()).hasSize(500))
			.last()
			.satisfies((failure) -> assertThat(failure.message()).startsWith("7x"));
		JobPayload again = job.withFailure(failure("C", "x".repeat(450)));
		assertThat(again.failures()).hasSameSizeAs(job.failures()).last().returns("C", JobFailure::errorClass);
	}

	@ParameterizedTest
	@ValueSource(strings = { "3", "'x'", "null", "true", "{}", "{'at':1,'class':'A'}", "[]",
			"[1,'x',null,true,[],[{'at':1,'class':'A'}],{}]", "[{'class':'A'}]", "[{'at':1}]",
			"[{'at':1.5,'class':'A'}]", "[{'at':'1','class':'A'}]", "[{'at':1,'class':''}]", "[{'at':1,'class':{}}]",
			"[{'at':99999999999999999999,'class':'A'}]" })
	void failuresSkipWhatIsNone(String attempts) {
		JobPayload job = withAttempts(attempts);
		assertThat(job.failures()).isEmpty();
		assertThat(written(job.withFailure(failure("B", "b"))).failures()).containsExactly(failure("B", "b"));
	}

	@Test
	void failuresOfOthersAreReadAsFarAsTheyCanBe() {
		JobPayload job = withAttempts(
				"[7,{'at':9223372036854775807,'class':'A','message':{},'process':[],'ran':-1,'own':[1.10]},'x']");
		assertThat(job.failures())
			.containsExactly(new JobFailure(Instant.ofEpochMilli(Long.MAX_VALUE), "A", "", "", null));
		assertThat(job.withFailure(failure("B", "b")).field("attempts").toString()).startsWith(
				"[{\"at\":9223372036854775807,\"class\":\"A\",\"message\":{},\"process\":[],\"ran\":-1,\"own\":[1.10]},{");
		String many = "[" + "{'at':1,'class':'A'},".repeat(10_000) + "{'at':2,'class':'B'}]";
		assertThat(withAttempts(many).failures()).hasSize(10).last().returns("B", JobFailure::errorClass);
	}

	private static JobFailure failure(String errorClass, String message) {
		return new JobFailure(Instant.ofEpochMilli(1767225600000L), errorClass, message, "host:1:2.1",
				Duration.ofSeconds(2));
	}

	private static JobPayload withAttempts(String attempts) {
		return JobPayload.read(MAPPER,
				"{'jid':'a','class':'b','args':[],'attempts':%s}".formatted(attempts)
					.replace('\'', '"')
					.getBytes(StandardCharsets.UTF_8));
	}

	/** Return the job as it is after it has been stored and read again. */
	private static JobPayload written(JobPayload job) {
		return JobPayload.read(MAPPER, MAPPER.writeValueAsBytes(job.json()));
	}

	@Test
	void toStringHasNameAndId() {
		assertThat(payload("Größen.messen", "019b76daa800a51c2d3e4f50"))
			.hasToString("Größen.messen[019b76daa800a51c2d3e4f50]");
	}

	@Test
	void toStringWhenNameHasControlCharactersEscapesThem() {
		assertThat(payload("a\r\n2026 ERROR forged\u001B[2J\u0085\u2028\u202E", "b\n"))
			.hasToString("a\\u000d\\u000a2026 ERROR forged\\u001b[2J\\u0085\\u2028\\u202e[b\\u000a]");
	}

	@Test
	void toStringWhenNameIsLongCutsIt() {
		assertThat(payload("x".repeat(1_000_000), "y".repeat(1_000_000)).toString()).hasSizeLessThan(600)
			.startsWith("xxx")
			.contains("…[yyy");
	}

	private static JobPayload payload(String name, String id) {
		ObjectNode json = JsonNodeFactory.instance.objectNode();
		json.put("jid", id).put("class", name).putArray("args");
		return JobPayload.of(json);
	}

}
