package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.github.steadyjobs.support.Repository;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The published JSON Schema of a stored job.
 */
public final class JobSchema {

	private static final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
		.getSchema(Repository.read("docs/job.schema.json"), InputFormat.JSON);

	private JobSchema() {
	}

	/**
	 * Check that a payload matches the published schema.
	 * @param payload JSON in UTF-8
	 */
	public static void assertMatches(byte[] payload) {
		String json = new String(payload, StandardCharsets.UTF_8);
		assertThat(violations(json)).as(json).isEmpty();
	}

	static List<Error> violations(String json) {
		return schema.validate(json, InputFormat.JSON);
	}

}
