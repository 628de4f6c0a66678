package io.github.steadyjobs.boot;

import tools.jackson.databind.json.JsonMapper;

/**
 * Holds the mapper for the arguments of jobs. As a bean of its own type the mapper would
 * keep Spring Boot from making the application's.
 */
record JobsMapper(JsonMapper mapper) {

}
