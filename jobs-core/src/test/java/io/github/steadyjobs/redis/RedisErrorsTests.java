package io.github.steadyjobs.redis;

import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.util.concurrent.CompletionException;

import javax.net.ssl.SSLHandshakeException;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisErrors}. Before Redis 7, the error of a command in a script was
 * wrapped in another error.
 */
class RedisErrorsTests {

	@ParameterizedTest
	@ValueSource(strings = { "OOM command not allowed when used memory > 'maxmemory'. script: 7b, on @user_script:51.",
			"ERR Error running script (call to f_7b): @user_script:51: @user_script: 51: -OOM command not allowed when "
					+ "used memory > 'maxmemory'." })
	void translateWhenMemoryIsFullSaysSo(String message) {
		assertThat(RedisErrors.translate(error(message))).isExactlyInstanceOf(JobStoreException.class)
			.has(reason(Reason.FULL));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ERR value is not an integer", "MISCONF Redis is configured to save RDB snapshots",
			"BUSYKEY Target key name already exists." })
	void translateWhenRefusedSaysWhy(String message) {
		assertThat(RedisErrors.translate(error(message))).isExactlyInstanceOf(JobStoreException.class)
			.hasMessageContaining(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to run the 'blpop' command",
			"NOPERM ACL failure in script: User jobs has no permissions to run the 'zadd' command script: 7b, on "
					+ "@user_script:51.",
			"ERR The user executing the script can't run this command or subcommand script: 7b, on @user_script:51.",
			"ERR Error running script (call to f_7b): @user_script:51: @user_script: 51: The user executing the script "
					+ "can't access at least one of the keys mentioned in the command arguments" })
	void translateWhenPermissionIsMissingSaysTheRule(String message) {
		assertThat(RedisErrors.translate(error(message))).isExactlyInstanceOf(JobStoreException.class)
			.hasMessageContaining(message)
			.hasMessageContaining("ACL SETUSER <user> ~<steadyjobs.prefix>:* +blpop +del +eval");
	}

	@ParameterizedTest
	@ValueSource(strings = { "READONLY You can't write against a read only replica. script: 7b, on @user_script:51.",
			"ERR Error running script (call to f_7b): @user_script:51: @user_script: 51: -READONLY You can't write "
					+ "against a read only replica.",
			"NOREPLICAS Not enough good replicas to write.", "LOADING Redis is loading the dataset in memory",
			"UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
			"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
			"BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
			"TRYAGAIN Multiple keys request during rehashing of slot", "CLUSTERDOWN The cluster is down" })
	void translateWhenServerTakesNoCallsForNowSaysThatNothingWasChanged(String message) {
		assertThat(RedisErrors.translate(error(message))).isExactlyInstanceOf(JobStoreUnavailableException.class)
			.has(reason(Reason.NOT_READY))
			.hasMessageContaining("nothing was changed (" + message);
	}

	@Test
	void translateWhenScriptMeetsAForeignValueSaysThatAKeyIsDamaged() {
		assertThat(RedisErrors
			.translate(error("ERR user_script:50: attempt to compare number with nil script: 7b, on @user_script:50.")))
			.isExactlyInstanceOf(JobStoreException.class)
			.has(reason(Reason.DAMAGED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "READONLY You can't write against a read only replica.", "ERR something",
			"WRONGTYPE Operation against a key holding the wrong kind of value" })
	void translateDoubtfulWhenRefusedSaysThatAnotherCopyMayHaveBeenCarriedOut(String message) {
		assertThat(RedisErrors.translateDoubtful(error(message))).isExactlyInstanceOf(JobStoreTimeoutException.class)
			.hasStackTraceContaining(message);
	}

	@Test
	void translateDoubtfulWhenMemoryIsFullSaysThatNothingWasStored() {
		assertThat(RedisErrors.translateDoubtful(error("OOM command not allowed when used memory > 'maxmemory'.")))
			.isExactlyInstanceOf(JobStoreException.class)
			.has(reason(Reason.FULL));
	}

	@Test
	void translateWhenTypeIsWrongSaysThatAKeyIsDamaged() {
		assertThat(RedisErrors.translate(error("WRONGTYPE Operation against a key holding the wrong kind of value")))
			.isExactlyInstanceOf(JobStoreException.class)
			.has(reason(Reason.DAMAGED));
	}

	@Test
	void translateWhenThereWasNoAnswerSaysSo() {
		assertThat(RedisErrors.translate(new RedisCommandTimeoutException("10 s")))
			.isExactlyInstanceOf(JobStoreTimeoutException.class);
	}

	@Test
	void translateWhenTranslatedAlreadyKeepsIt() {
		JobStoreException translated = new JobStoreException(Reason.FULL, "full", null);
		assertThat(RedisErrors.translate(translated)).isSameAs(translated);
	}

	@ParameterizedTest
	@ValueSource(strings = { "READONLY You can't write against a read only replica. script: 7b, on @user_script:51.",
			"ERR Error running script (call to f_7b): @user_script:51: @user_script: 51: -READONLY You can't write "
					+ "against a read only replica.",
			"UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)" })
	void wantsAnotherConnectionWhenRoleWasLost(String message) {
		assertThat(RedisErrors.wantsAnotherConnection(error(message))).isTrue();
	}

	@Test
	void wantsAnotherConnectionWhenThereWasNoAnswer() {
		assertThat(RedisErrors.wantsAnotherConnection(new RedisCommandTimeoutException("10 s"))).isTrue();
	}

	@Test
	void wantsAnotherConnectionWhenOnlyThePayloadSpeaksOfItDoesNot() {
		assertThat(RedisErrors.wantsAnotherConnection(error("ERR unknown command 'READONLY'"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection reset", "Connection reset by peer",
			"Connection closed prematurely in RedisHandshakeHandler" })
	void unavailableWhenTheServerHangsUpAsksForTls(String message) {
		assertThat(RedisErrors.unavailable("a:1", new CompletionException(new SocketException(message))))
			.has(reason(Reason.UNREACHABLE))
			.hasMessageContaining("closed the connection before it answered")
			.hasMessageContaining("if it only speaks TLS, set 'spring.data.redis.ssl.enabled'");
	}

	@Test
	void unavailableWhenTheHandshakeOfTlsFailsNamesTheBundle() {
		Throwable handshake = new SSLHandshakeException("PKIX path building failed")
			.initCause(new CertPathBuilderException("unable to find valid certification path"));
		assertThat(RedisErrors.unavailable("a:1, TLS", new CompletionException(handshake)))
			.has(reason(Reason.UNREACHABLE))
			.hasMessageContaining("do not agree on TLS (unable to find valid certification path); nothing was sent")
			.hasMessageContaining("'spring.data.redis.ssl.bundle'");
	}

	private static RedisCommandExecutionException error(String message) {
		return new RedisCommandExecutionException(message);
	}

}
