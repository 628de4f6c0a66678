package io.github.steadyjobs.boot;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names in a query for Prometheus.
 *
 * @param metrics the labels that are selected for each metric, by its name
 * @param grouping the labels by which results are grouped or matched
 */
record PromQl(Map<String, Set<String>> metrics, Set<String> grouping) {

	private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "offset");

	private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");

	private static final Pattern RANGE = Pattern.compile("\\[[^]]*]|\\boffset +\\w+");

	private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) *\\(([^)]*)\\)");

	/**
	 * Matches a metric and its labels, once the grouping is removed. A name that is
	 * followed by a parenthesis is a function instead.
	 */
	private static final Pattern METRIC = Pattern.compile("(?<![\\w.])([a-zA-Z_:][\\w:]*)\\b(?! *\\()(?:\\{([^}]*)})?");

	private static final Pattern LABEL = Pattern.compile("(\\w+) *(?:=~|!~|!=|=)");

	static PromQl of(String query) {
		String text = RANGE.matcher(TEXT.matcher(query).replaceAll("\"\"")).replaceAll("");
		Set<String> grouping = new HashSet<>();
		Matcher groups = GROUPING.matcher(text);
		while (groups.find()) {
			grouping.addAll(Arrays.asList(groups.group(1).trim().split(" *, *")));
		}
		Map<String, Set<String>> metrics = new HashMap<>();
		METRIC.matcher(groups.replaceAll("")).results().forEach((found) -> {
			if (!KEYWORDS.contains(found.group(1))) {
				String labels = (found.group(2) != null) ? found.group(2) : "";
				metrics.computeIfAbsent(found.group(1), (name) -> new HashSet<>())
					.addAll(LABEL.matcher(labels).results().map((label) -> label.group(1)).collect(Collectors.toSet()));
			}
		});
		return new PromQl(metrics, grouping);
	}

}
