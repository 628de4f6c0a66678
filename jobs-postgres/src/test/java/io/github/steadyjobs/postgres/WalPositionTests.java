package io.github.steadyjobs.postgres;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link WalPosition}.
 */
class WalPositionTests {

	private static final long PAGE = 8192;

	@ParameterizedTest
	@CsvSource({ "0/0, 0000000000000000", "0/3015FF0, 0000000003015FF0", "16/B374D848, 00000016B374D848",
			"FFFFFFFF/FFFFFFFF, FFFFFFFFFFFFFFFF" })
	void textWhenLsnIsGivenHasSixteenDigits(String lsn, String text) {
		assertThat(WalPosition.ofLsn(lsn).text()).isEqualTo(text);
		assertThat(WalPosition.ofText(text)).isEqualTo(WalPosition.ofLsn(lsn));
	}

	@Test
	void textWhenPositionsGrowSortsAsTheyDo() {
		List<String> texts = Stream
			.of("0/0", "0/28", "0/9FFFFFF", "0/A000000", "0/7FFFFFFF", "0/80000000", "0/FFFFFFF8", "1/0", "9/FFFFFFFF",
					"A/0", "10/0", "7FFFFFFF/FFFFFFFF", "80000000/0")
			.map((lsn) -> WalPosition.ofLsn(lsn).text())
			.toList();
		assertThat(texts).isSorted().doesNotHaveDuplicates().allMatch((text) -> text.matches("[A-Za-z0-9_.-]{1,64}"));
		assertThat(texts).allMatch((text) -> text.compareTo(WalPosition.UNKNOWN.text()) < 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "0/", "/0", "0/123456789", "x/0", "0/-1", "0/0 " })
	void ofLsnWhenTextIsNoneThrows(String lsn) {
		assertThatIllegalArgumentException().isThrownBy(() -> WalPosition.ofLsn(lsn))
			.withMessage("'" + lsn + "' is not a pg_lsn");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "0/0", "00000016b374d848", "00000016B374D8480", "-0000016B374D848" })
	void ofTextWhenTextIsNoneThrows(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> WalPosition.ofText(text))
			.withMessage("'" + text + "' is not a position of PostgreSQL");
	}

	@ParameterizedTest
	@CsvSource({
			// reached and passed
			"0/3015FF0, 0/3015FF0, true", "0/3015FF8, 0/3015FF0, true", "1/0, 0/FFFFFFFF, true",
			"80000000/0, 7FFFFFFF/0, true",
			// not reached
			"0/3015FF0, 0/3015FF8, false", "0/FFFFFFFF, 1/0, false", "7FFFFFFF/0, 80000000/0, false",
			// after the header of the next page, which is longer in the first page of a
			// segment
			"0/4000000, 0/4000028, true", "0/4002000, 0/4002018, true",
			// further away than a header
			"0/4000000, 0/4000030, false",
			// not at the end of a page
			"0/4001000, 0/4001018, false", "0/3FFFFF8, 0/4000018, false" })
	void coversWhenReplayedIsComparedTellsWhetherAllIsThere(String replayed, String wanted, boolean covers) {
		assertThat(WalPosition.ofLsn(replayed).covers(WalPosition.ofLsn(wanted), PAGE)).isEqualTo(covers);
	}

	@Test
	void coversWhenPositionIsUnknownIsFalse() {
		assertThat(WalPosition.ofLsn("FFFFFFFF/FFFFE000").covers(WalPosition.UNKNOWN, PAGE)).isFalse();
	}

}
