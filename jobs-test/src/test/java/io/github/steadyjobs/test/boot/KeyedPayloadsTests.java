package io.github.steadyjobs.test.boot;

import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.test.boot.KeyedPayloads.Entry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the limits of {@link KeyedPayloads}. {@link OrderedModelIntegrationTests}
 * compares the other rules with Redis.
 */
class KeyedPayloadsTests {

	@Test
	void asManyPayloadsWaitAsTheLimitAllows() {
		KeyedPayloads<String> payloads = new KeyedPayloads<>(1001);
		payloads.push(entry(0), "head");
		payloads.begin("next");
		for (int i = 1; i <= 1001; i++) {
			assertThat(payloads.push(entry(i), "head")).isEqualTo(Kind.MERGED);
		}
		assertThat(payloads.push(entry(1002), "head")).isEqualTo(Kind.FULL);
		assertThat(payloads.push(entry(1), "head")).as("an equal payload waits").isEqualTo(Kind.MERGED);
	}

	@Test
	void payloadsThatRunCountIfAllOfThemFitIntoOneRun() {
		KeyedPayloads<String> payloads = new KeyedPayloads<>(3);
		assertThat(payloads.push(entry(1), "head")).isEqualTo(Kind.STORED);
		payloads.begin("next");
		assertThat(payloads.push(entry(2), "head")).isEqualTo(Kind.MERGED);
		assertThat(payloads.push(entry(3), "head")).isEqualTo(Kind.MERGED);
		assertThat(payloads.push(entry(4), "head")).isEqualTo(Kind.FULL);
	}

	@Test
	void payloadsThatFitIntoOneRunHaveUpToAMegabyte() {
		KeyedPayloads<String> payloads = new KeyedPayloads<>(1000);
		payloads.push(new Entry("1", "[\"" + "x".repeat(1024 * 1024 - 100) + "\"]"), "head");
		assertThat(payloads.push(entry(2), "head")).isEqualTo(Kind.MERGED);
		assertThat(payloads.push(new Entry("3", "[\"" + "x".repeat(100) + "\"]"), "head")).isEqualTo(Kind.FULL);
	}

	private static Entry entry(int number) {
		return new Entry(String.valueOf(number), "[" + number + "]");
	}

}
