package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.github.steadyjobs.arguments.JobJson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DeduplicationKey}.
 */
class DeduplicationKeyTests {

	private final DeduplicationKey key = new DeduplicationKey(JobJson.builder().build());

	@Test
	@DisplayName("GL-X1: 128 bits of SHA-256 over name and arguments, identical in every release")
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

	@Test
	void ofDoesNotDependOnTheOrderOfSetsWithinSets() {
		assertThat(this.key.of("job", List.of(sets(1, false))))
			.isEqualTo(this.key.of("job", List.of(sets(10_000, true))));
		assertThat(this.key.of("job", List.of(Map.of("shops", sets(1, false)))))
			.isEqualTo(this.key.of("job", List.of(Map.of("shops", sets(10_000, true)))));
	}

	private static Set<Object> sets(int capacity, boolean reversed) {
		Set<Object> sets = new LinkedHashSet<>();
		sets.add(new Tagged(shops(capacity)));
		sets.add(Map.of("tags", shops(capacity)));
		sets.add(List.of(shops(capacity)));
		sets.add(shops(capacity));
		List<Object> elements = new ArrayList<>(sets);
		if (reversed) {
			Collections.reverse(elements);
		}
		return new LinkedHashSet<>(elements);
	}

	private static Set<String> shops(int capacity) {
		Set<String> shops = new HashSet<>(capacity);
		IntStream.range(0, 50).mapToObj((number) -> "shop-" + number * 7919).forEach(shops::add);
		return shops;
	}

	@Test
	void ofDoesNotDependOnTheOrderThatAMapOrSetSortsBy() {
		Map<String, Integer> descending = new TreeMap<>(Comparator.reverseOrder());
		descending.putAll(Map.of("a", 1, "b", 2, "c", 3));
		assertThat(this.key.of("job", List.of(descending)))
			.isEqualTo(this.key.of("job", List.of(Map.copyOf(descending))));
		assertThat(this.key.of("job", List.of(Set.of(descending))))
			.isEqualTo(this.key.of("job", List.of(Set.of(Map.copyOf(descending)))));
		assertThat(this.key.of("job", new Counted(descending)))
			.isEqualTo(this.key.of("job", new Counted(new HashMap<>(descending))));
	}

	record Tagged(Set<String> tags) {

	}

	record Counted(Map<String, Integer> counts) {

	}

}
