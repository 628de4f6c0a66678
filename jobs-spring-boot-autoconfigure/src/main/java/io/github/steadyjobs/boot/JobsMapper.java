package io.github.steadyjobs.boot;

import tools.jackson.databind.json.JsonMapper;

/**
 * Holds the mapper for the arguments of jobs. The mapper itself is not a bean, because
 * Spring Boot would then create no mapper for the application.
 */
record JobsMapper(JsonMapper mapper) {

}
