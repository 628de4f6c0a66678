package io.github.steadyjobs.support;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Decides once per run which Redis the tests use. Starts it when the first test needs it,
 * and stops it after the last test.
 */
public final class RedisExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(RedisExtension.class);

	@Override
	public void beforeAll(ExtensionContext context) {
		// JUnit closes the stored TestRedis after the class. A nested class uses the
		// TestRedis of its outer class.
		context.getStore(NAMESPACE).computeIfAbsent(TestRedis.class, (key) -> shared(context), TestRedis.class);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		context.getStore(NAMESPACE).get(TestRedis.class, TestRedis.class).clear();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestRedis.class;
	}

	@Override
	public TestRedis resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getStore(NAMESPACE).get(TestRedis.class, TestRedis.class);
	}

	static TestRedis shared(ExtensionContext context) {
		SharedRedis server = run(context).computeIfAbsent(SharedRedis.class, (key) -> SharedRedis.start(),
				SharedRedis.class);
		return new TestRedis(server.connectionFactory(), server.url());
	}

	static TestRedis sharedCluster(ExtensionContext context) {
		ClusterRedis server = run(context).computeIfAbsent(ClusterRedis.class, (key) -> ClusterRedis.start(),
				ClusterRedis.class);
		return new TestRedis(server.connectionFactory(), server.url());
	}

	/**
	 * Return the store that lasts as long as the process. Surefire passes the classes to
	 * its forks one by one, so the root store lasts only as long as a class.
	 */
	private static Store run(ExtensionContext context) {
		return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
	}

}
