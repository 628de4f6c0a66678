package io.github.steadyjobs.boot;

import tools.jackson.databind.json.JsonMapper;

/**
 * Customizes the mapper that writes and reads the arguments of jobs. This mapper is
 * separate from the mapper of the application and is not affected by
 * {@code spring.jackson.*}, so a setting for web pages cannot make stored jobs
 * unreadable.
 */
@FunctionalInterface
public interface JobsJsonMapperBuilderCustomizer {

	/**
	 * Customize the mapper.
	 * @param builder the builder of the mapper
	 */
	void customize(JsonMapper.Builder builder);

}
