package io.github.steadyjobs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Names}, and for the classes in this package that use it.
 */
class NamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "7", "mail", "my.queue", "_x", ".x", "a-b", "A-Z_0.9" })
	void isNameWhenOnlyAllowedCharactersAccepts(String name) {
		assertThat(Names.isName(name)).isTrue();
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " ", "a b", "{a}", "a:b", "a/b", "-1", "-a", "ä", "a\n" })
	void isNameWhenSomethingElseRefuses(String name) {
		assertThat(Names.isName(name)).isFalse();
	}

	@Test
	void lengthsAreLimited() {
		assertThat(Names.isName("x".repeat(64))).isTrue();
		assertThat(Names.isName("x".repeat(65))).isFalse();
		assertThat(Names.isJobName("x".repeat(255))).isTrue();
		assertThat(Names.isJobName("x".repeat(256))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a b", "a\nb", "a\u2028b", "a\u0085", "a\u001B[2J", "\u00A0", "" })
	void namedWhenNoJobCanBeCalledSoRefuses(String name) {
		assertThat(Names.isJobName(name)).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> JobRequest.named(name))
			.withMessageContaining("'name' must ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "InvoiceJobs.send", "invoice/send:now", "Größen.messen", "-" })
	void namedWhenAJobCanBeCalledSoAccepts(String name) {
		assertThat(JobRequest.named(name).target()).hasToString(name);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "\t" })
	void metaWhenNameIsEmptyRefuses(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> JobRequest.named("a").meta(name, "value"))
			.withMessageContaining("'name' must not be null or empty");
	}

}
