package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Named;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.Repository;
import io.github.steadyjobs.support.ScriptFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/wire-format.md} and {@code docs/job.schema.json} agree with
 * {@link PayloadCodec}, {@link QueuePart} and the scripts. Changes to a failed payload
 * are tested with the classes that make them.
 */
class WireFormatTests {

	private static final String ID = "019b76daa800a51c2d3e4f50";

	private static final long NOW = 1767225600000L;

	private static final String DOCUMENT = Repository.read("docs/wire-format.md");

	private final JsonMapper mapper = JobJson.builder().build();

	private final PayloadCodec codec = new PayloadCodec(this.mapper);

	@Test
	void writeWhenFreshMatchesSchema() {
		byte[] payload = write(JobRequest.named("InvoiceJobs.send", new SendInvoice(new UUID(1, 2), Instant.EPOCH))
			.queue("mail")
			.retries(10), null);
		JobSchema.assertMatches(payload);
		assertThat(this.mapper.readTree(payload).propertyNames()).containsExactly("jid", "class", "args", "queue",
				"retry", "created_at", "enqueued_at");
	}

	@Test
	void writeWhenScheduledMatchesSchema() {
		byte[] payload = write(JobRequest.named("ReportJobs.monthly", "2026-01", null).queue("low"), NOW + 1000);
		JobSchema.assertMatches(payload);
		assertThat(this.mapper.readTree(payload).propertyNames()).containsExactly("jid", "class", "args", "queue",
				"retry", "created_at", "at");
	}

	@Test
	void writeWhenTaggedMatchesSchema() {
		byte[] payload = write(JobRequest.named("a").retries(0).tags("x", "ü").meta("tenant", "acme"), null);
		JobSchema.assertMatches(payload);
		assertThat(this.mapper.readTree(payload).propertyNames()).endsWith("tags", "meta");
	}

	@Test
	void writeWhenNotKeptDeadMatchesSchema() {
		byte[] payload = write(JobRequest.named("a").retries(0).dead(false), null);
		JobSchema.assertMatches(payload);
		assertThat(this.mapper.readTree(payload).propertyNames()).containsExactly("jid", "class", "args", "queue",
				"retry", "dead", "created_at", "enqueued_at");
	}

	@Test
	void writeWhenLimitedMatchesSchema() {
		JobRequest request = JobRequest.named("a")
			.retries(true)
			.retryFor(Duration.ofMillis(1001))
			.retryQueue("slow")
			.backtrace(20)
			.expiresAt(Instant.ofEpochMilli(NOW))
			.timeout(Duration.ofSeconds(90));
		byte[] payload = write(request, null);
		JobSchema.assertMatches(payload);
		assertThat(this.mapper.readTree(payload).propertyNames()).containsExactly("jid", "class", "args", "queue",
				"retry", "retry_for", "retry_queue", "backtrace", "expires_at", "timeout", "created_at", "enqueued_at");
		JobPayload read = this.codec.read(payload);
		assertThat(read).extracting("json").isNull();
		assertThat(read.retries(25)).isEqualTo(25);
		assertThat(read.limits()).isEqualTo(new JobLimits(Duration.ofSeconds(2), "slow", 20, null,
				Instant.ofEpochMilli(NOW), Duration.ofSeconds(90)));
	}

	/**
	 * Building a JSON tree would make each read slower, and no other test would notice
	 * that.
	 */
	@Test
	void readWhenWrittenMakesNoTree() {
		JobRequest request = JobRequest.named("InvoiceJobs.send", new SendInvoice(new UUID(1, 2), Instant.EPOCH), "ü[");
		assertThat(List.of(write(request, null), write(request.queue("mail").retries(10), NOW + 1000),
				write(request.dead(false).tags("x", "y").meta("tenant", "acme").meta("user", "7"), null)))
			.allSatisfy((payload) -> assertThat(this.codec.read(payload)).extracting("json").isNull());
	}

	@Test
	void writeWhenReadBeforeKeepsUnknownFields() {
		String known = "{\"jid\":\"%s\",\"class\":\"a\",\"args\":[],\"queue\":\"q\",\"retry\":true,\"created_at\":1,\"at\":2"
			.formatted(ID);
		String payload = known + ",\"bid\":\"b\",\"dead\":false,\"nested\":{\"n\":1.10}}";
		byte[] written = this.codec.write(read(payload));
		assertThat(new String(written, StandardCharsets.UTF_8)).isEqualTo(payload);
		JobSchema.assertMatches(written);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"jid\": \"1\"}", "{\"jid\": null}", "{\"class\": \"\"}", "{\"args\": {}}",
			"{\"queue\": \"a b\"}", "{\"retry\": -1}", "{\"retry\": \"1\"}", "{\"dead\": 0}", "{\"retry_for\": 0}",
			"{\"backtrace\": -1}", "{\"expires_at\": 1.5}", "{\"timeout\": 0}", "{\"created_at\": 1.5}",
			"{\"enqueued_at\": null}", "{\"tags\": [1]}", "{\"meta\": {\"n\": 1}}", "{\"retry_count\": 0}",
			"{\"retried_at\": 1}", "{\"attempts\": {}}", "{\"attempts\": [{}]}",
			"{\"attempts\": [{\"at\": 1, \"class\": \"\"}]}" })
	void schemaWhenFieldIsWrongRefuses(String wrong) {
		byte[] payload = write(JobRequest.named("a").queue("q"), null);
		ObjectNode json = (ObjectNode) this.mapper.readTree(payload);
		json.setAll((ObjectNode) this.mapper.readTree(wrong));
		assertThat(JobSchema.violations(json.toString())).isNotEmpty();
	}

	@Test
	void examplesMatchSchemaAndCanBeRead() {
		List<String> examples = matches("(?s)```json\\n(.*?)```").stream().map((match) -> match.group(1)).toList();
		assertThat(examples).hasSize(4).allSatisfy((example) -> {
			JobSchema.assertMatches(example.getBytes(StandardCharsets.UTF_8));
			assertThat(read(example).id()).hasSize(24);
		});
	}

	@Test
	void fieldsInTheDocumentAreThoseOfTheSchema() {
		JsonNode schema = this.mapper.readTree(Repository.read("docs/job.schema.json"));
		assertThat(firstColumn("| field | type | there | meaning |"))
			.containsExactlyInAnyOrderElementsOf(schema.path("properties").propertyNames())
			.containsExactlyInAnyOrderElementsOf(Arrays.stream(PayloadField.values()).map(PayloadField::text).toList());
	}

	@Test
	void keysInTheDocumentAreThoseOfTheCode() {
		List<String> names = Arrays.stream(QueuePart.values()).map(QueuePart::text).toList();
		List<String> documented = firstColumn("| key | type | content |");
		assertThat(documented.subList(0, names.size())).containsExactlyInAnyOrderElementsOf(names);
		KeySpace keys = new KeySpace("steadyjobs");
		assertThat(documented.subList(names.size(), documented.size())).containsExactly(utf8(keys.queueNames()),
				utf8(keys.sweeper()), utf8(keys.isolating()), utf8(keys.shards()), utf8(keys.pauses()),
				utf8(keys.recurring()), utf8(keys.processNames()), utf8(keys.process("<process>")),
				utf8(keys.threadDump("<process>")), utf8(keys.history("<hour>:<name of a job>")),
				utf8(keys.history("<hour>")), utf8(keys.history("<day>")), utf8(keys.history("<year>")),
				utf8(keys.marks()), utf8(keys.activity()));
		assertThat(utf8(keys.queue("mail").get(QueuePart.READY))).isEqualTo("steadyjobs:{mail}:ready");
		assertThat(DOCUMENT).contains("`steadyjobs:{mail}:ready`");
	}

	@ParameterizedTest
	@EnumSource
	void typeOfKeyInTheDocumentIsThatOfTheCode(QueuePart part) {
		String type = part.type().equals("zset") ? "sorted set" : part.type();
		assertThat(DOCUMENT).contains("\n| `%s` | %s | ".formatted(part.text(), type));
	}

	@Test
	void scriptsInTheDocumentAreThoseOfTheCode() {
		assertThat(firstColumn("| script | does |")).containsExactlyInAnyOrderElementsOf(ScriptFiles.scripts());
	}

	@Test
	void textOfEnqueueInTheDocumentHasItsKeys() {
		String variables = utf8(ScriptFixture.ENQUEUE.source()).lines().findFirst().orElseThrow();
		assertThat(DOCUMENT).contains("echo '" + variables + "'");
		String call = ScriptFixture.ENQUEUE.keys()
			.stream()
			.map("\"${q}%s\""::formatted)
			.collect(Collectors.joining(" "));
		assertThat(DOCUMENT.replaceAll("\\s*\\\\\n\\s*", " ")).contains("--eval enqueue.txt " + call + " ,");
	}

	@Test
	void totalsInTheDocumentAreThoseOfTheScripts() {
		Set<String> totals = new HashSet<>(ScriptFixture.goals());
		for (String script : ScriptFiles.sources(".lua")) {
			Pattern.compile("'HINCRBY', stats, ([^,]*'\\w+')")
				.matcher(script)
				.results()
				.flatMap((match) -> Pattern.compile("'(\\w+)'").matcher(match.group(1)).results())
				.forEach((match) -> totals.add(match.group(1)));
		}
		String row = matches("\\| `stats` \\| hash \\| totals: (.*) \\|").get(0).group(1);
		assertThat(words(row)).containsExactlyInAnyOrderElementsOf(totals);
	}

	private byte[] write(JobRequest request, @Nullable Long due) {
		Named job = (Named) request.target();
		return this.codec.write(ID, job.name(), job.arguments(), request.options(), NOW, due).json();
	}

	private JobPayload read(String json) {
		return this.codec.read(json.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return the first name in each row of all tables that have a given header.
	 */
	private static List<String> firstColumn(String header) {
		return rows(header).stream().map((row) -> words(row.split("\\|")[1]).get(0)).toList();
	}

	private static List<String> rows(String header) {
		List<String> rows = new ArrayList<>();
		boolean inTable = false;
		for (String line : DOCUMENT.lines().toList()) {
			if (inTable && line.startsWith("| `")) {
				rows.add(line);
			}
			inTable = line.equals(header) || (inTable && line.startsWith("|"));
		}
		return rows;
	}

	/**
	 * Return the texts between backticks.
	 */
	private static List<String> words(String text) {
		return Pattern.compile("`([^`]+)`").matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static List<MatchResult> matches(String pattern) {
		return Pattern.compile(pattern).matcher(DOCUMENT).results().toList();
	}

	private static String utf8(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	record SendInvoice(UUID invoiceId, Instant issued) {

	}

}
