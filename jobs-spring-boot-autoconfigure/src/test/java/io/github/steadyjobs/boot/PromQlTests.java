package io.github.steadyjobs.boot;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PromQl}.
 */
class PromQlTests {

	@Test
	void ofFindsMetricsWithTheirLabelsAndGrouping() {
		PromQl query = PromQl
			.of("topk(10, histogram_quantile(0.95, sum by (job, le) (rate(a_bucket{queue=~\"$q\", x!=\"or(1)\"}[5m])))) "
					+ "or max(b) unless on (queue) c offset 1h == 1 or vector(0)");
		assertThat(query.metrics()).isEqualTo(Map.of("a_bucket", Set.of("queue", "x"), "b", Set.of(), "c", Set.of()));
		assertThat(query.grouping()).containsExactlyInAnyOrder("job", "le", "queue");
	}

}
