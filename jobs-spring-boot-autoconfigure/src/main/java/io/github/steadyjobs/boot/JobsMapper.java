package io.github.steadyjobs.boot;

import tools.jackson.databind.json.JsonMapper;

/**
 * Holds the mapper for the arguments of jobs. If the mapper itself were a bean, Spring
 * Boot would not create one for the application.
 */
record JobsMapper(JsonMapper mapper) {

}
