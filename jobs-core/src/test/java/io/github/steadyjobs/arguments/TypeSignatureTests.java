package io.github.steadyjobs.arguments;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.steadyjobs.definition.JobsContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TypeSignature}.
 */
class TypeSignatureTests {

	@Test
	void ofIsStable() {
		assertThat(of(Order.class, long.class)).isEqualTo("b207fb160863");
	}

	@Test
	void ofWhenTheSameJsonIsReadIsTheSame() {
		assertThat(of(Order.class)).isEqualTo(of(Renamed.class)).isEqualTo(of(Bean.class));
	}

	@Test
	void ofWhenSomethingElseIsReadDiffers() {
		assertThat(List.of(of(Order.class), of(Grown.class), of(Narrowed.class), of(OtherName.class),
				of(MoreStates.class), of(Order.class, Order.class), of(), of(Order[].class)))
			.doesNotHaveDuplicates();
		assertThat(List.of(of(int.class), of(Integer.class), of(long.class), of(String.class), of(UUID.class)))
			.doesNotHaveDuplicates();
	}

	@Test
	void ofLooksIntoContainers() {
		assertThat(List.of(of(new TypeReference<List<Order>>() {
		}), of(new TypeReference<List<Grown>>() {
		}), of(new TypeReference<Optional<Order>>() {
		}), of(new TypeReference<Map<State, Order>>() {
		}), of(new TypeReference<Map<States, Order>>() {
		}), of(new TypeReference<Map<String, Order>>() {
		}), of(new TypeReference<Map<String, Grown>>() {
		}))).doesNotHaveDuplicates();
		assertThat(of(new TypeReference<Map<String, List<Order>>>() {
		})).isEqualTo(of(new TypeReference<Map<String, List<Renamed>>>() {
		}));
	}

	@Test
	void ofWhenTypeContainsItselfEnds() {
		assertThat(of(Tree.class)).isEqualTo(of(SameTree.class)).isNotEqualTo(of(Order.class));
	}

	@Test
	void ofWhenNoNullIsAllowedAnyMoreDiffers() {
		List<JavaType> types = List.of(JobsContext.MAPPER.constructType(String.class));
		assertThat(TypeSignature.of(types, BitSet.valueOf(new long[] { 1 }), JobsContext.MAPPER))
			.isNotEqualTo(of(String.class));
		assertThat(of(Demanding.class)).isNotEqualTo(of(Undemanding.class));
	}

	private static String of(Class<?>... types) {
		return TypeSignature.of(Arrays.stream(types).map(JobsContext.MAPPER::constructType).toList(), new BitSet(),
				JobsContext.MAPPER);
	}

	private static String of(TypeReference<?> type) {
		return TypeSignature.of(List.of(JobsContext.MAPPER.constructType(type.getType())), new BitSet(),
				JobsContext.MAPPER);
	}

	enum State {

		NEW, PAID

	}

	enum SameState {

		PAID, NEW

	}

	enum States {

		NEW, PAID, LOST

	}

	record Item(UUID id, int count) {

	}

	record SameItem(int count, UUID id) {

	}

	record Order(State state, List<Item> items) {

	}

	record Renamed(List<SameItem> items, SameState state) {

	}

	record Grown(State state, List<Item> items, @Nullable String note) {

	}

	record Narrowed(State state, List<UUID> items) {

	}

	record OtherName(State status, List<Item> items) {

	}

	record MoreStates(States state, List<Item> items) {

	}

	record Tree(String name, List<Tree> children) {

	}

	record SameTree(String name, List<SameTree> children) {

	}

	static class Bean {

		private State state = State.NEW;

		private List<Item> items = List.of();

		public State getState() {
			return this.state;
		}

		public void setState(State state) {
			this.state = state;
		}

		public List<Item> getItems() {
			return this.items;
		}

		public void setItems(List<Item> items) {
			this.items = items;
		}

	}

	record Undemanding(String name) {

	}

	record Demanding(@JsonProperty(required = true) String name) {

	}

}
