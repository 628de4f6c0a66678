package io.github.steadyjobs.admin;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.redis.AuditStore;

/**
 * Cuts long lists of ids into what one call takes.
 */
final class Batches {

	private Batches() {
	}

	static List<List<String>> of(List<String> ids) {
		List<List<String>> batches = new ArrayList<>();
		for (int from = 0; from < ids.size(); from += AuditStore.IDS_AT_ONCE) {
			batches.add(ids.subList(from, Math.min(ids.size(), from + AuditStore.IDS_AT_ONCE)));
		}
		return batches;
	}

}
