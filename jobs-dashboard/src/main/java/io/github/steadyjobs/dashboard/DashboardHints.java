package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * Registers the files that pages consist of, for native images: compiled templates, which
 * are called by reflection, and resources.
 */
final class DashboardHints implements RuntimeHintsRegistrar {

	private static final String PACKAGE = ClassUtils.classPackageAsResourcePath(DashboardHints.class);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (String files : new String[] { "*.css", "*.js", "*.svg", "*.properties" }) {
			hints.resources().registerPattern(PACKAGE + "/" + files);
		}
		hints.resources().registerPattern(Assets.HTMX.formatted("*")).registerPattern(Assets.HTMX_VERSION);
		for (Resource template : templates(classLoader)) {
			String name = Objects.requireNonNull(template.getFilename()).replace(".class", "");
			hints.reflection()
				.registerType(TypeReference.of(DashboardHints.class.getPackageName() + "." + name),
						MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_METHODS);
		}
	}

	private static Resource[] templates(@Nullable ClassLoader classLoader) {
		try {
			return new PathMatchingResourcePatternResolver(classLoader)
				.getResources("classpath*:" + PACKAGE + "/Jte*Generated.class");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
