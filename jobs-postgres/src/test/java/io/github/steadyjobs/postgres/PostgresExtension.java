package io.github.steadyjobs.postgres;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts PostgreSQL when the first test needs it, restores it before each test, and stops
 * it after the last test.
 */
final class PostgresExtension implements BeforeEachCallback, ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);

	@Override
	public void beforeEach(ExtensionContext context) {
		servers(context).heal();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == ReplicatedPostgres.class;
	}

	@Override
	public ReplicatedPostgres resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return servers(context);
	}

	private static ReplicatedPostgres servers(ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(ReplicatedPostgres.class, (key) -> ReplicatedPostgres.start(), ReplicatedPostgres.class);
	}

}
