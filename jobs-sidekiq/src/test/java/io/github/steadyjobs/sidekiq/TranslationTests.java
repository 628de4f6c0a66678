package io.github.steadyjobs.sidekiq;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.sidekiq.Batch.Element;
import io.github.steadyjobs.sidekiq.Translation.Translated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Translation} with data in the formats of Sidekiq 6.4 and 8.
 */
class TranslationTests {

	private static final long FILLED = 1795377900000L;

	/** Written by Sidekiq 6.4.1. */
	private static final String FRESH = """
			{"retry":true,"queue":"hard","tags":["ruby"],"args":[0,"text ü €",{"nested":[1.5,null,true]}],"class":"HardWorker","jid":"5be7c2a96764962947ae0809","created_at":1795377856.3650064,"enqueued_at":1795377856.3652594}""";

	/** Written by Sidekiq 6.4.1 into 'schedule'. */
	private static final String SCHEDULED = """
			{"retry":true,"queue":"hard","tags":["ruby"],"class":"HardWorker","args":[0,"much later"],"jid":"1020ef312b957fb8f8b0b50e","created_at":1795377856.56876}""";

	/** Written by a process of Sidekiq 6.4.1 into 'retry'. */
	private static final String RETRIED = """
			{"retry":3,"queue":"hard","backtrace":5,"custom":{"kept":true},"args":[0],"class":"Invoices::SendJob","jid":"e4ce48ea4b23f981775d24e5","created_at":1795377856.9205072,"enqueued_at":1795377856.9206657,"error_message":"no such invoice","error_class":"ArgumentError","failed_at":1795377857.256461,"retry_count":0,"error_backtrace":"eJy1z1GOgkAMBuCrEF5WE6EqhmS9ysYoM1TsMky1HURvL0w08QD6+qft1/8vhYGlhSGAEaobH82minV2NIFVCwE1ACCyr1YVJDe3OMOiuZituvllnxyOKMc\\n"}""";

	/** In the format of Sidekiq 8, in which times are whole milliseconds. */
	private static final String FRESH_8 = """
			{"class":"HardWorker","args":[1],"jid":"b4a577edbccf1d805744efa9","retry":true,"created_at":1795377856365,"queue":"hard","enqueued_at":1795377856366}""";

	private final Translation translation = new Translation(SidekiqFixture.mapping(Map.of("hard", "mail", "low", "low"),
			Map.of("Invoices::SendJob", "InvoiceJobs.send")), SidekiqFixture.CODEC);

	@Test
	void freshJobIsReadTheFastWay() {
		Translated translated = translate(null, "queue:hard", FRESH);
		assertThat(translated.queue()).isEqualTo("mail");
		assertThat(translated.job().delay()).isNull();
		String id = translated.job().id();
		assertThat(text(translated)).isEqualTo(
				"{\"jid\":\"%s\",\"class\":\"HardWorker\",\"args\":[0,\"text ü €\",{\"nested\":[1.5,null,true]}],\"queue\":\"mail\",\"retry\":true,\"created_at\":1795377856365,\"enqueued_at\":1795377856365,\"tags\":[\"ruby\"],\"meta\":{\"sidekiq_jid\":\"5be7c2a96764962947ae0809\"}}"
					.formatted(id));
		assertThat(Long.parseLong(id.substring(0, 12), 16)).isEqualTo(1795377856365L);
	}

	@Test
	void freshJobOfSidekiq8HasTheSameTimes() {
		JobPayload job = read(translate(null, "queue:hard", FRESH_8));
		assertThat(job.createdAt()).isEqualTo(Instant.ofEpochMilli(1795377856365L));
		assertThat(job.enqueuedAt()).isEqualTo(Instant.ofEpochMilli(1795377856366L));
		assertThat(job.meta()).containsEntry("sidekiq_jid", "b4a577edbccf1d805744efa9");
	}

	@Test
	void scheduledJobIsDueAtItsScore() {
		JobPayload job = read(translate(1795377890.5, "schedule", SCHEDULED));
		assertThat(job.at()).isEqualTo(Instant.ofEpochMilli(1795377890500L));
		assertThat(job.field("enqueued_at").isMissingNode()).isTrue();
		assertThat(job.createdAt()).isEqualTo(Instant.ofEpochMilli(1795377856569L));
		assertThat(job.id()).startsWith("%012x".formatted(1795377890500L));
	}

	@Test
	void retriedJobKeepsItsFailure() {
		JobPayload job = read(translate(1795377872.256618, "retry", RETRIED));
		assertThat(job.name()).isEqualTo("InvoiceJobs.send");
		assertThat(job.retries(25)).isEqualTo(3);
		assertThat(job.attempts()).isOne();
		assertThat(job.errorClass()).isEqualTo("ArgumentError");
		assertThat(job.errorMessage()).isEqualTo("no such invoice");
		assertThat(job.failedAt()).isEqualTo(Instant.ofEpochMilli(1795377857256L));
		assertThat(job.at()).isEqualTo(Instant.ofEpochMilli(1795377872257L));
		assertThat(job.enqueuedAt()).isEqualTo(Instant.ofEpochMilli(1795377856921L));
		assertThat(job.field("custom").path("kept").booleanValue()).isTrue();
		assertThat(job.field("backtrace").intValue()).isEqualTo(5);
		assertThat(job.field("error_backtrace").isMissingNode()).isTrue();
		assertThat(job.field("sidekiq_error_backtrace").stringValue()).startsWith("eJy1");
	}

	@ParameterizedTest
	@CsvSource({ "true, 25, true", "false, 0, false", "null, 25, true", "0, 0, true", "7, 7, true", "-1, 0, true",
			"'\"often\"', 25, true" })
	void retryMeansWhatItMeansToSidekiq(String retry, int retries, boolean kept) {
		JobPayload job = read(translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"retry\":" + retry + "}"));
		assertThat(job.retries(25)).isEqualTo(retries);
		assertThat(job.isKeptWhenDead()).isEqualTo(kept);
	}

	@Test
	void jobThatIsNotKeptIsNotKeptHere() {
		assertThat(read(translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"dead\":false}")).isKeptWhenDead())
			.isFalse();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
			"attempts":3        | sidekiq_attempts
			"key":"k"           | sidekiq_key
			"score":"1"         | sidekiq_score
			"timeout":90        | sidekiq_timeout
			"unbound":["x"]     | sidekiq_unbound
			"unreadable":"x"    | sidekiq_unreadable
			"retry_queue":"x"   | sidekiq_retry_queue
			"bid":"b"           | bid
			"expires_in":3.5    | expires_in
			"failed_at":"never" | sidekiq_failed_at
			"expires_at":1795377856000000    | sidekiq_expires_at
			"expires_at":1795377856000000000 | sidekiq_expires_at
			"retried_at":-1e300 | sidekiq_retried_at
			""")
	void fieldIsKept(String field, String name) {
		JobPayload job = read(translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[]," + field + "}"));
		assertThat(job.json().propertyNames()).contains(name);
		assertThat(job.key()).isNull();
	}

	@Test
	void timeOfAnotherUnitLimitsNothing() {
		JobPayload job = read(
				translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"expires_at\":1795377856000000}"));
		assertThat(job.limits().expiresAt()).isNull();
	}

	@Test
	void timeoutOfAPlugInLimitsNothing() {
		JobPayload job = read(translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"timeout\":90}"));
		assertThat(job.limits().timeout()).isNull();
	}

	@Test
	void retryQueueIsMapped() {
		JobPayload job = read(translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"retry_queue\":\"hard\"}"));
		assertThat(job.field("retry_queue").stringValue()).isEqualTo("mail");
	}

	@Test
	void metaOfOthersIsKept() {
		JobPayload job = read(translate(null, "queue:hard",
				"{\"class\":\"A\",\"args\":[],\"jid\":\"j\",\"meta\":{\"tenant\":\"acme\"}}"));
		assertThat(job.meta()).containsOnly(Map.entry("tenant", "acme"), Map.entry("sidekiq_jid", "j"));
	}

	@Test
	void listDecidesOnTheQueue() {
		String json = "{\"class\":\"A\",\"args\":[],\"queue\":\"low\"}";
		assertThat(translate(null, "queue:hard", json).queue()).isEqualTo("mail");
		assertThat(translate(1.0, "schedule", json).queue()).isEqualTo("low");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no JSON", "[1]", "7", "{\"args\":[]}", "{\"class\":7,\"args\":[]}",
			"{\"class\":\"\",\"args\":[]}", "{\"class\":\"A b\",\"args\":[]}", "{\"class\":\"A\"}",
			"{\"class\":\"A\",\"args\":{}}", "{\"class\":\"A\",\"args\":[1e9999999999]", "{\"class\":\"A\"" })
	void garbageIsRefusedWithoutQuotingIt(String json) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> translate(null, "queue:hard", json))
			.withMessageStartingWith("it")
			.withNoCause();
	}

	@ParameterizedTest
	@CsvSource({ "1795377856.3650064, 1795377856365", "1795377856, 1795377856000", "1795377856365, 1795377856365",
			"1.7953778563650064E9, 1795377856365", "0, 0", "1e300, 1795377900000", "'\"now\"', 1795377900000",
			"null, 1795377900000" })
	void timeIsSecondsOrMilliseconds(String time, long millis) {
		JobPayload job = read(
				translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"enqueued_at\":" + time + "}"));
		assertThat(job.enqueuedAt().toEpochMilli()).isEqualTo(millis);
	}

	@Test
	void idIsTheSameAgainAndOtherwiseDifferent() {
		Element element = new Element(null, "queue:hard", FRESH.getBytes(StandardCharsets.UTF_8));
		Batch batch = new Batch("b1", 1, FILLED, List.of(element, element));
		Batch next = new Batch("b1", 2, FILLED, List.of(element));
		String id = this.translation.translate("b1.x", batch, 0).job().id();
		assertThat(id).matches("[0-9a-f]{24}");
		assertThat(this.translation.translate("b1.x", batch, 0).job().id()).isEqualTo(id);
		assertThat(this.translation.translate("b1.x", batch, 1).job().id()).isNotEqualTo(id);
		assertThat(this.translation.translate("b1.x", next, 0).job().id()).isNotEqualTo(id);
		assertThat(this.translation.translate("b1.y", batch, 0).job().id()).isNotEqualTo(id);
	}

	@Test
	void idIsNotOfTheFuture() {
		JobPayload job = read(
				translate(null, "queue:hard", "{\"class\":\"A\",\"args\":[],\"enqueued_at\":4102444800.5}"));
		assertThat(Long.parseLong(job.id().substring(0, 12), 16)).isEqualTo(FILLED);
	}

	@Test
	void elementWithoutQueueIsOfTheDefaultQueue() {
		assertThat(this.translation.queueOf("{\"class\":\"A\",\"args\":[]}".getBytes(StandardCharsets.UTF_8)))
			.isEqualTo("default");
	}

	private Translated translate(Double score, String key, String json) {
		Element element = new Element(score, key, json.getBytes(StandardCharsets.UTF_8));
		return this.translation.translate("b1.x", new Batch("b1", 1, FILLED, List.of(element)), 0);
	}

	private static String text(Translated translated) {
		return new String(translated.job().payload(), StandardCharsets.UTF_8);
	}

	private static JobPayload read(Translated translated) {
		JobPayload job = JobPayload.read(SidekiqFixture.MAPPER, translated.job().payload());
		assertThat(job.id()).isEqualTo(translated.job().id());
		return job;
	}

}
