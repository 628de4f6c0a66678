package io.github.steadyjobs.boot;

import tools.jackson.databind.json.JsonMapper;

/**
 * Changes the mapper that writes and reads the arguments of jobs. It is a separate
 * mapper: {@code spring.jackson.*} does not affect it, so a setting for web pages cannot
 * make stored jobs unreadable.
 */
@FunctionalInterface
public interface JobsJsonMapperBuilderCustomizer {

	/**
	 * Change the mapper.
	 * @param builder the builder of the mapper
	 */
	void customize(JsonMapper.Builder builder);

}
