package io.github.steadyjobs.arguments;

import io.github.steadyjobs.InvalidJobException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.node.ArrayNode;

import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Creates the mapper that writes and reads payloads. It is separate from the mapper of
 * the web layer, so the settings of that mapper do not change the stored format.
 */
public final class JobJson {

	/** The name of Jackson's module for Kotlin, which is created by reflection. */
	public static final String KOTLIN = "tools.jackson.module.kotlin.KotlinModule";

	/** The maximum number of characters of a number. */
	static final int MAX_NUMBER = 1_000;

	/** The maximum number of bytes of the name of a property, or of the key of a map. */
	static final int MAX_NAME = 10_000;

	private static final int MAX_DEPTH = 64;

	private JobJson() {
	}

	/**
	 * Return a builder with the defaults.
	 * <p>
	 * Unknown properties are ignored, and a missing property of an object type is read as
	 * {@code null}. Otherwise, reading is strict: a missing primitive, a duplicate
	 * property, a string in place of a number, a fraction in place of an integer and
	 * anything after the end of the JSON are errors. Dates are written as ISO 8601,
	 * numbers are read without loss of precision, and JSON never determines a class.
	 * Values may be nested at most 64 levels deep. Strings may have at most 20,000,000
	 * characters, names 10,000 and numbers 1,000. Jackson's module for Kotlin is used if
	 * it is on the class path; no other module is used.
	 */
	public static JsonMapper.Builder builder() {
		JsonMapper.Builder builder = JsonMapper.builder(factory())
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
			// 1.9 must not become 1, and "12" must not become a number.
			.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
			// In untyped values and trees, a double would lose the precision of a
			// BigDecimal.
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
			.enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
			.disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
			// Otherwise a ZonedDateTime would be read back without its zone.
			.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
			// Allows no class at all, even if an annotation names a class.
			.polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build());
		if (ClassUtils.isPresent(KOTLIN, JobJson.class.getClassLoader())) {
			builder.addModule(kotlin());
		}
		return builder;
	}

	/**
	 * Create the module for Kotlin by its name, because its class file needs Kotlin's
	 * library. Other modules that happen to be present must not change stored arguments.
	 */
	private static JacksonModule kotlin() {
		return (JacksonModule) BeanUtils
			.instantiateClass(ClassUtils.resolveClassName(KOTLIN, JobJson.class.getClassLoader()));
	}

	/**
	 * Read the arguments of a job as one value: the argument itself if there is only one,
	 * otherwise an array of all of them.
	 * @throws InvalidJobException if the arguments do not fit the type; the message
	 * contains the path but no value
	 */
	public static <T> T readArguments(JsonMapper mapper, ArrayNode arguments, Class<T> type) {
		Assert.notNull(type, "'type' must not be null; pass the class that the arguments are wanted as");
		JsonNode json = (arguments.size() == 1) ? arguments.get(0) : arguments;
		try {
			return mapper.treeToValue(json, type);
		}
		catch (RuntimeException ex) {
			// The cause is left out because its message quotes the value.
			String path = (arguments.size() == 1) ? "args[0]" : "args";
			throw new InvalidJobException("The arguments do not fit %s: %s".formatted(type.getTypeName(),
					new Misfit(path, mapper.constructType(type), json).describe(ex)));
		}
	}

	private static JsonFactory factory() {
		return JsonFactory.builder()
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			// The default pool is one list shared by all threads, and each job would use
			// it twice.
			.recyclerPool(JsonRecyclerPools.threadLocalPool())
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNestingDepth(MAX_DEPTH)
				.maxStringLength(20_000_000)
				.maxNumberLength(MAX_NUMBER)
				.maxNameLength(MAX_NAME)
				.build())
			// Nothing may be written that could not be read back.
			.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
			.build();
	}

}
