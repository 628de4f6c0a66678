package io.github.steadyjobs.support;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.assertj.core.api.Assertions;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Redis user with the permissions that {@code docs/redis.md} documents.
 */
public final class RedisUser implements AutoCloseable {

	/** The password of every user that this class creates. */
	public static final String PASSWORD = "change-me";

	private final RedisClient administrator;

	private final StatefulRedisConnection<String, String> connection;

	private final String name;

	private final String rule;

	private final String url;

	private final LettuceConnectionFactory connectionFactory;

	private RedisUser(RedisURI server, String name, String rule, boolean cluster) {
		this.administrator = RedisClient.create(server);
		this.connection = this.administrator.connect();
		this.name = name;
		this.rule = rule;
		this.url = "redis://%s:%s@%s:%d".formatted(name, PASSWORD, server.getHost(), server.getPort());
		reset();
		this.connectionFactory = cluster ? cluster(server, name)
				: ConnectionFactories.single(this.url, ConnectionFactories.COMMAND_TIMEOUT);
	}

	/**
	 * Create a user as documented, for the key prefix of a server.
	 * @param redis the server on which to create the user
	 * @param name the name of the user in the document
	 * @return the created user
	 */
	public static RedisUser create(OwnRedis redis, String name) {
		return new RedisUser(RedisURI.create(redis.url()), name, documented(name, redis.redis()), false);
	}

	/**
	 * Create a user as documented, including the additional permissions for a cluster.
	 * @param cluster the cluster on which to create the user
	 * @param view a view of the cluster, whose key prefix is used
	 * @param name the name of the user in the document
	 * @return the created user
	 */
	public static RedisUser create(ClusterRedis cluster, TestRedis view, String name) {
		String rule = documented(name, view) + " " + find("- \\*\\*Cluster\\.\\*\\* Add `([^`]+)`");
		return new RedisUser(RedisURI.create(cluster.url()), name, rule, true);
	}

	private static String documented(String name, TestRedis view) {
		return documented(name).replace("~steadyjobs:*", "~" + view.prefix() + ":*");
	}

	/**
	 * Return the documented rules of a user.
	 * @param name the name of the user
	 * @return the text after {@code ACL SETUSER <name>}
	 */
	public static String documented(String name) {
		return find("ACL SETUSER " + name + " (.*)$");
	}

	private static String find(String line) {
		Matcher matcher = Pattern.compile("^" + line, Pattern.MULTILINE).matcher(Repository.read("docs/redis.md"));
		Assertions.assertThat(matcher.find()).as("%s in docs/redis.md", line).isTrue();
		return matcher.group(1);
	}

	private static LettuceConnectionFactory cluster(RedisURI server, String name) {
		RedisClusterConfiguration configuration = new RedisClusterConfiguration(
				List.of(server.getHost() + ":" + server.getPort()));
		configuration.setUsername(name);
		configuration.setPassword(PASSWORD);
		return ConnectionFactories.start(configuration, LettuceClientConfiguration.builder(),
				ConnectionFactories.COMMAND_TIMEOUT);
	}

	/**
	 * Give the user exactly the documented permissions, and clear the log of denied
	 * commands.
	 */
	public void reset() {
		acl("LOG", "RESET");
		change("reset");
		change(this.rule.split(" "));
	}

	/**
	 * Change the rights of the user.
	 * @param rules rules in the syntax of {@code ACL SETUSER}
	 */
	public void change(String... rules) {
		String[] arguments = new String[rules.length + 2];
		arguments[0] = "SETUSER";
		arguments[1] = this.name;
		System.arraycopy(rules, 0, arguments, 2, rules.length);
		acl(arguments);
	}

	private void acl(String... arguments) {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
		List.of(arguments).forEach(args::add);
		this.connection.sync().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
	}

	/**
	 * Return the commands except CLIENT that the server has denied since the last reset.
	 * @return an entry for each command, at most ten
	 */
	public List<?> denials() {
		// Lettuce sends its own name, and continues if that is not permitted.
		return this.connection.sync()
			.aclLog()
			.stream()
			.filter((entry) -> !String.valueOf(entry.get("object")).startsWith("client"))
			.toList();
	}

	/**
	 * Return the address of the server for this user.
	 * @return a URL with the user and the password
	 */
	public String url() {
		return this.url;
	}

	/**
	 * Return a started connection factory of this user.
	 * @return the factory, closed together with this user
	 */
	public LettuceConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	@Override
	public void close() {
		this.connectionFactory.destroy();
		this.administrator.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

}
