package io.github.steadyjobs.support;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Runs a test class with a single server and with a cluster.
 */
public final class RedisAndClusterExtension implements ClassTemplateInvocationContextProvider {

	@Override
	public boolean supportsClassTemplate(ExtensionContext context) {
		return true;
	}

	@Override
	public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
		return Stream.of(new Variant("Redis", RedisExtension::shared),
				new Variant("Redis Cluster", RedisExtension::sharedCluster));
	}

	private static final class Variant implements ClassTemplateInvocationContext, ParameterResolver,
			BeforeClassTemplateInvocationCallback, BeforeEachCallback, AfterClassTemplateInvocationCallback {

		private final String name;

		private final Function<ExtensionContext, TestRedis> opener;

		private @Nullable TestRedis redis;

		Variant(String name, Function<ExtensionContext, TestRedis> opener) {
			this.name = name;
			this.opener = opener;
		}

		@Override
		public String getDisplayName(int invocationIndex) {
			return this.name;
		}

		@Override
		public List<Extension> getAdditionalExtensions() {
			return List.of(this);
		}

		@Override
		public void beforeClassTemplateInvocation(ExtensionContext context) {
			this.redis = this.opener.apply(context);
		}

		@Override
		public void beforeEach(ExtensionContext context) {
			if (this.redis != null) {
				this.redis.clear();
			}
		}

		@Override
		public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
			return parameter.getParameter().getType() == TestRedis.class;
		}

		@Override
		public @Nullable TestRedis resolveParameter(ParameterContext parameter, ExtensionContext context) {
			return this.redis;
		}

		@Override
		public void afterClassTemplateInvocation(ExtensionContext context) {
			if (this.redis != null) {
				this.redis.close();
			}
		}

	}

}
