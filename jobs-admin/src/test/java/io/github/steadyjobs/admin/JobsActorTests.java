package io.github.steadyjobs.admin;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JobsActor}.
 */
class JobsActorTests {

	private @Nullable String user;

	private final JobsActor actor = new JobsActor(() -> this.user, () -> "shop@host");

	@Test
	void nameIsThatOfTheCallThenOfTheUserThenTheClaimedOne() {
		assertThat(this.actor.name()).isEqualTo("shop@host");
		assertThat(this.actor.name(" ")).isEqualTo("shop@host");
		assertThat(this.actor.name("eve")).isEqualTo("eve");
		this.user = "ada";
		assertThat(this.actor.name("eve")).isEqualTo("ada");
		assertThat(this.actor.as("bob", () -> this.actor.name("eve"))).isEqualTo("bob");
		assertThat(this.actor.name("eve")).isEqualTo("ada");
	}

	@Test
	void asEndsWithTheCall() {
		assertThat(this.actor.as("ada", () -> {
			String inner = this.actor.as("bob", this.actor::name);
			return inner + " " + this.actor.name();
		})).isEqualTo("bob ada");
		assertThatIllegalStateException().isThrownBy(() -> this.actor.as("ada", () -> {
			throw new IllegalStateException("planned");
		}));
		assertThat(this.actor.name()).isEqualTo("shop@host");
	}

	@Test
	void asIsUnknownToOtherThreads() {
		String other = this.actor.as("ada", () -> CompletableFuture.supplyAsync(this.actor::name).join());
		assertThat(other).isEqualTo("shop@host");
	}

	@Test
	void asWithoutANameIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.actor.as(" ", () -> 1))
			.withMessageContaining("'who' must not be empty");
	}

	@Test
	void nameIsShortAndPrintable() {
		assertThat(this.actor.name("a\nb\u202e")).isEqualTo("a\\u000ab\\u202e");
		assertThat(this.actor.name("x".repeat(100))).isEqualTo("x".repeat(100));
		assertThat(this.actor.name("x".repeat(101))).isEqualTo("x".repeat(99) + "…");
		assertThat(this.actor.name("x".repeat(98) + "😀😀")).isEqualTo("x".repeat(98) + "…");
		assertThat(this.actor.name("a" + "\n".repeat(5000))).hasSize(100).startsWith("a\\u000a");
	}

	@Test
	void nameWhenTheUserCannotBeFoundOutIsThatOfTheApplication() {
		JobsActor failing = new JobsActor(() -> {
			throw new IllegalStateException("planned");
		}, () -> "shop@host");
		assertThat(failing.name()).isEqualTo("shop@host");
		assertThat(failing.name("eve")).isEqualTo("eve");
	}

}
