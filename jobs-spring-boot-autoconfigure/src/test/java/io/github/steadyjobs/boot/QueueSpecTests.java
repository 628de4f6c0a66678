package io.github.steadyjobs.boot;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link QueueSpec}.
 */
class QueueSpecTests {

	private static final String PROPERTY = "steadyjobs.capsules.default.queues";

	@ParameterizedTest
	@MethodSource("waysToWriteTwoQueues")
	void bindWhenOneQueueHasAWeightReadsIt(JobsProperties properties) {
		// SK-27
		assertThat(properties.capsules().get("default").specs("default")).containsExactly(new QueueSpec("a", null),
				new QueueSpec("b", 3));
	}

	static List<JobsProperties> waysToWriteTwoQueues() {
		return List.of(Bound.yaml("steadyjobs: { capsules: { default: { queues: [a, 'b,3'] } } }"),
				Bound.yaml("steadyjobs: { capsules: { default: { queues: [a, ' b , 3 '] } } }"),
				Bound.yaml("steadyjobs: { capsules: { default: { queues: 'a, b,3' } } }"),
				Bound.properties("steadyjobs.capsules.default.queues=a,b,3"),
				Bound.properties("steadyjobs.capsules.default.queues = a , b , 3"), Bound.properties(
						"steadyjobs.capsules.default.queues[0]=a", "steadyjobs.capsules.default.queues[1]=b,3"));
	}

	@Test
	void parseAllWhenEveryQueueHasAWeightReadsThem() {
		assertThat(QueueSpec.parseAll(PROPERTY, List.of("critical", "6", "default", "3", "low", "1")))
			.containsExactly(new QueueSpec("critical", 6), new QueueSpec("default", 3), new QueueSpec("low", 1));
	}

	@Test
	void parseAllWhenNameLooksLikeANumberNeedsAQueueBeforeIt() {
		assertThat(QueueSpec.parseAll(PROPERTY, List.of("7", "a"))).containsExactly(new QueueSpec("7", null),
				new QueueSpec("a", null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a,b,c", "a,x", "a,", "a,0", "a,-1", "a,1001", "a,1.5", ",1", "", " ", "a b", "{a}", "a:b",
			"-1", "-a" })
	void parseAllWhenTextIsNoQueueSaysHowToWriteOne(String text) {
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> QueueSpec.parseAll(PROPERTY, List.of(text)))
			.withMessageStartingWith("'%s' is '%s'. Write a queue as 'name' or 'name,weight', as in 'critical,6'.",
					PROPERTY, text.trim());
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "+1", "1.5", "1001", "99999999999" })
	void parseAllWhenListHasNoWeightBehindAQueueSaysHowToWriteOne(String weight) {
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> QueueSpec.parseAll(PROPERTY, List.of("b", "a", weight)))
			.withMessage(
					"'%s' is 'a,%s'. Write a queue as 'name' or 'name,weight', as in 'critical,6'. The name is 1 to "
							+ "64 of the characters A-Za-z0-9_.- and no '-' at the start, the weight 1 to 1000.",
					PROPERTY, weight);
	}

	@Test
	void parseAllWhenQueueComesTwiceSaysHowToServeItMoreOften() {
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> QueueSpec.parseAll(PROPERTY, List.of("a", "b", "a,2")))
			.withMessage("'%s' is 'a,b,a,2'. It has the queue 'a' twice. To serve a queue more often, give it a "
					+ "weight, as in 'a,2'.", PROPERTY);
	}

}
