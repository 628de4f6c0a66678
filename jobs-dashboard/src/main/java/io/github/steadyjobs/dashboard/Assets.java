package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * The style sheet, the scripts and the icon. Each address contains a hash of the content,
 * so browsers can cache these files forever.
 */
final class Assets {

	private static final String SCRIPT = "text/javascript;charset=UTF-8";

	static final String HTMX = "META-INF/resources/webjars/htmx.org/%s/dist/htmx.min.js";

	static final String HTMX_VERSION = "META-INF/maven/org.webjars.npm/htmx.org/pom.properties";

	private final Map<String, Asset> byName = Stream
		.of(own("style.css", "text/css;charset=UTF-8"), own("dashboard.js", SCRIPT), own("icon.svg", "image/svg+xml"),
				Asset.of("htmx.js", SCRIPT, read(new ClassPathResource(HTMX.formatted(htmxVersion())))))
		.collect(Collectors.toMap(Asset::name, Function.identity()));

	private static Asset own(String file, String type) {
		return Asset.of(file, type, read(new ClassPathResource(file, Assets.class)));
	}

	/**
	 * Return the version that is on the class path, which an application may have chosen.
	 */
	private static String htmxVersion() {
		try {
			return PropertiesLoaderUtils.loadProperties(new ClassPathResource(HTMX_VERSION)).getProperty("version");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] read(ClassPathResource resource) {
		try {
			return resource.getContentAsByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Return the address of a file, given its name. */
	String address(String name) {
		return Objects.requireNonNull(this.byName.get(name)).address();
	}

	/**
	 * Find the file at an address.
	 * @return the file, {@code null} if there is no such file. The hash in the address
	 * may be different if a process with another release has rendered the page
	 */
	@Nullable Asset find(String address) {
		return this.byName.get(Asset.nameOf(address));
	}

}
