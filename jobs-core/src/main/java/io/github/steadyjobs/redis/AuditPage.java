package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of what a queue holds, and where each of its ids was at that moment.
 *
 * @param next where the next page begins, "0" after the last one
 * @param weight bytes of payloads, or list elements that were compared
 * @param entries what was found
 */
public record AuditPage(String next, long weight, List<Entry> entries) {

	static AuditPage of(List<Object> answer) {
		List<Entry> entries = new ArrayList<>((answer.size() - 2) / 3);
		for (int i = 2; i < answer.size(); i += 3) {
			entries.add(new Entry(Answers.text(answer, i), Answers.text(answer, i + 1),
					new JobState(Answers.text(answer, i + 2))));
		}
		return new AuditPage(Answers.text(answer, 0), Answers.number(answer, 1), entries);
	}

	/**
	 * An entry of a list, set, sorted set or hash.
	 *
	 * @param id the element, member or field, a character for each byte
	 * @param value the score or the value, empty for payloads and where there is none
	 * @param state where the id was
	 */
	public record Entry(String id, String value, JobState state) {

	}

}
