package io.github.steadyjobs.test;

import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Snapshot}.
 */
class SnapshotTests {

	@ParameterizedTest
	@MethodSource
	void ofWhenValueIsMutableKeepsWhatItWas(Object value, Runnable change) {
		Snapshot before = Snapshot.of(List.of(value));
		assertThat(Snapshot.of(List.of(value))).isEqualTo(before).hasSameHashCodeAs(before);
		change.run();
		assertThat(Snapshot.of(List.of(value))).isNotEqualTo(before);
	}

	static List<Object[]> ofWhenValueIsMutableKeepsWhatItWas() {
		List<String> list = new ArrayList<>();
		Map<String, Object> map = new HashMap<>();
		int[] array = { 1 };
		byte[] file = { 1 };
		StringBuilder text = new StringBuilder();
		AtomicInteger counter = new AtomicInteger();
		Date date = new Date(0);
		Node node = new Node("a");
		return List.of(new Object[] { list, run(() -> list.add("a")) },
				new Object[] { map, run(() -> map.put("a", null)) }, new Object[] { array, run(() -> array[0] = 2) },
				new Object[] { file, run(() -> file[0] = 2) }, new Object[] { text, run(() -> text.append("a")) },
				new Object[] { counter, run(counter::incrementAndGet) },
				new Object[] { date, run(() -> date.setTime(1)) },
				new Object[] { Optional.of(node), run(() -> node.name = "b") },
				new Object[] { new Pair(1, Map.entry("key", node)), run(() -> node.name = "c") });
	}

	private static Runnable run(Runnable change) {
		return change;
	}

	@Test
	void equalsWhenContentIsEqualIsTrue() {
		assertThat(Snapshot.of(content())).isEqualTo(Snapshot.of(content()));
	}

	private static List<Object> content() {
		return Arrays.asList(null, 1, 2L, new BigDecimal("1.20"), "text", TimeUnit.DAYS, Instant.EPOCH, Path.of("a"),
				String.class, Optional.empty(), new IllegalStateException("x"), new byte[] { 1 }, new Node("a"),
				new Pair(1, "b"));
	}

	@Test
	void equalsWhenSetGivesElementsInAnotherOrderIsTrue() {
		Set<Object> one = new LinkedHashSet<>(List.of(new Pair(1, "a"), new Pair(2, "b")));
		Set<Object> other = new LinkedHashSet<>(List.of(new Pair(2, "b"), new Pair(1, "a")));
		assertThat(Snapshot.of(one)).isEqualTo(Snapshot.of(other));
		assertThat(Snapshot.of(List.copyOf(one))).isNotEqualTo(Snapshot.of(List.of(new Pair(2, "b"))));
	}

	@Test
	void equalsWhenInheritedFieldDiffersIsFalse() {
		assertThat(Snapshot.of(new NamedLeaf("a"))).isNotEqualTo(Snapshot.of(new NamedLeaf("b")));
	}

	@Test
	void equalsWhenClassDiffersIsFalse() {
		assertThat(Snapshot.of(new Node("a"))).isNotEqualTo(Snapshot.of(new NamedLeaf("a")));
	}

	@Test
	void ofWhenObjectsAreCyclicEnds() {
		Node node = new Node("a");
		node.next = node;
		Snapshot before = Snapshot.of(node);
		assertThat(Snapshot.of(node)).isEqualTo(before);
		node.next = new Node("a");
		assertThat(Snapshot.of(node)).isNotEqualTo(before);
	}

	@Test
	void ofWhenObjectsNestTooDeepThrows() {
		Node first = new Node("a");
		Node last = first;
		for (int i = 0; i < 1000; i++) {
			last.next = new Node("a");
			last = last.next;
		}
		assertThatIllegalArgumentException().isThrownBy(() -> Snapshot.of(first)).withMessageContaining("Observe less");
	}

	@ParameterizedTest
	@MethodSource
	void ofWhenValueHasNoContentThrows(Object value) {
		assertThatIllegalArgumentException().isThrownBy(() -> Snapshot.of(new Pair(1, value)))
			.withMessageContaining("at '.second'")
			.withMessageContaining("Observe ");
	}

	static Stream<Object> ofWhenValueHasNoContentThrows() {
		Runnable lambda = () -> {
		};
		Object jdkProxy = Proxy.newProxyInstance(SnapshotTests.class.getClassLoader(),
				new Class<?>[] { Runnable.class }, (proxy, method, arguments) -> null);
		return Stream.of(new Object(), Stream.of(1), new Thread(), new Thread() {
		}, lambda, jdkProxy, new ProxyFactory(new Node("a")).getProxy());
	}

	@Test
	void ofWhenThereAreTooManyValuesThrows() {
		List<Integer> many = Collections.nCopies(100_000, 1);
		assertThatIllegalArgumentException().isThrownBy(() -> Snapshot.of(many)).withMessageContaining("Observe less");
	}

	@Test
	void describeDifferencesNamesPathAndBothValues() {
		Snapshot before = Snapshot.of(Map.of("Ada", List.of(new Pair(1, "a"))));
		Snapshot after = Snapshot.of(Map.of("Ada", List.of(new Pair(1, "b"), new Pair(2, null))));
		assertThat(after.describeDifferences(before).lines()).containsExactly("  [Ada]: 1 element, then 2 elements",
				"  [Ada][0].second: a, then b", "  [Ada][1]: nothing, then " + Pair.class.getName(),
				"  [Ada][1].first: nothing, then 2", "  [Ada][1].second: nothing, then null");
		assertThat(Snapshot.of(2).describeDifferences(Snapshot.of("x"))).isEqualTo("  all: x, then 2");
	}

	@Test
	void describeDifferencesWhenThereAreManyNamesTen() {
		Snapshot before = Snapshot.of(IntStream.range(0, 30).boxed().toList());
		Snapshot after = Snapshot.of(IntStream.range(1, 31).boxed().toList());
		assertThat(after.describeDifferences(before).lines()).hasSize(11).last().isEqualTo("  and 20 more");
	}

	record Pair(int first, Object second) {

	}

	static class Node {

		String name;

		Node next;

		transient long cached = System.nanoTime();

		Node() {
			this("");
		}

		Node(String name) {
			this.name = name;
		}

	}

	static class NamedLeaf extends Node {

		NamedLeaf(String name) {
			super(name);
		}

	}

}
