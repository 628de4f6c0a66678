package io.github.steadyjobs.client;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.steadyjobs.definition.JobJson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DeduplicationKey}.
 */
class DeduplicationKeyTests {

	private final DeduplicationKey key = new DeduplicationKey(JobJson.builder().build());

	@Test
	@DisplayName("GL-X1: 128 bits of SHA-256 over name and arguments, the same in every release")
	void ofIsStable() {
		assertThat(this.key.of("invoice.send", List.of(7, "std"))).isEqualTo("bv5H2oig9dLgTIBHOji6jA");
	}

	@Test
	void ofDependsOnNameAndOnWhatIsCompared() {
		assertThat(Set.of(this.key.of("a", List.of(1)), this.key.of("b", List.of(1)), this.key.of("a", List.of(2)),
				this.key.of("a", List.of("1")), this.key.of("a", 1)))
			.hasSize(5);
	}

	@Test
	void ofDoesNotDependOnTheOrderOfMapsAndSets() {
		Map<String, Object> one = new LinkedHashMap<>();
		one.put("b", 1);
		one.put("a", Map.of("y", 1, "x", 2));
		Map<String, Object> other = new HashMap<>();
		other.put("a", new LinkedHashMap<>(Map.of("x", 2, "y", 1)));
		other.put("b", 1);
		assertThat(this.key.of("job", List.of(one))).isEqualTo(this.key.of("job", List.of(other)));
		List<String> ids = IntStream.range(0, 50).mapToObj((number) -> "shop-" + number * 7919).toList();
		Set<String> large = new HashSet<>(10_000);
		large.addAll(ids);
		Set<String> small = new HashSet<>(1);
		small.addAll(ids);
		assertThat(List.copyOf(large)).isNotEqualTo(List.copyOf(small));
		assertThat(this.key.of("job", List.of(large))).isEqualTo(this.key.of("job", List.of(small)));
	}

}
