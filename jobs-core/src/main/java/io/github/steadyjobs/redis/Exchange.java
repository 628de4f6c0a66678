package io.github.steadyjobs.redis;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The answers to calls of one flush.
 *
 * @param settlements how ended jobs were settled, a list for each list given
 * @param claims an answer for each claim
 */
public record Exchange(List<CompletableFuture<List<Settlement>>> settlements, List<CompletableFuture<Claim>> claims) {

	/**
	 * Return the answers to calls if none could be sent.
	 */
	public static Exchange failed(int settlements, int claims, Throwable failure) {
		return new Exchange(Collections.nCopies(settlements, CompletableFuture.failedFuture(failure)),
				Collections.nCopies(claims, CompletableFuture.failedFuture(failure)));
	}

}
