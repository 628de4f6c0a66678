package io.github.steadyjobs.arguments;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.steadyjobs.Names;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates a short hash of types, which shows whether two releases of an application read
 * the same JSON. The hash covers, at all levels, the constants of enums and the
 * properties of classes: their names, their types and whether they are required. The
 * order of constants and properties has no effect. The name of a class counts only if the
 * class is a container, or if there is nothing else to compare.
 */
final class TypeSignature {

	private static final int BYTES = 6;

	private final JsonMapper mapper;

	private final StringBuilder text = new StringBuilder();

	private final Map<JavaType, Integer> seen = new HashMap<>();

	private TypeSignature(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * Return the signature of parameters.
	 * @param required the indexes of parameters that must not be null although their
	 * types are not primitive
	 */
	static String of(List<JavaType> types, BitSet required, JsonMapper mapper) {
		TypeSignature signature = new TypeSignature(mapper);
		for (int index = 0; index < types.size(); index++) {
			signature.append(types.get(index), required.get(index));
		}
		return HexFormat.of().formatHex(Names.sha256(signature.text.toString()), 0, BYTES);
	}

	private void append(JavaType type, boolean required) {
		this.text.append(required ? "!" : "");
		append(type);
	}

	private void append(JavaType type) {
		Class<?> raw = type.getRawClass();
		if (ArgumentTypes.isEnum(raw)) {
			this.text.append(
					Stream.of(raw.getEnumConstants()).map((constant) -> ((Enum<?>) constant).name()).sorted().toList());
		}
		else if (type.isContainerType() || type.isReferenceType()) {
			this.text.append(raw.getName()).append('<');
			if (type.getKeyType() != null) {
				append(type.getKeyType());
			}
			append(type.getContentType());
			this.text.append('>');
		}
		else {
			appendProperties(type);
		}
		this.text.append(';');
	}

	private void appendProperties(JavaType type) {
		Integer before = this.seen.putIfAbsent(type, this.seen.size());
		if (before != null) {
			this.text.append('#').append(before);
			return;
		}
		Map<String, BeanProperty> properties = readProperties(type);
		if (properties.isEmpty()) {
			this.text.append(type.toCanonical());
			return;
		}
		this.text.append('{');
		properties.forEach((name, property) -> {
			this.text.append(name).append(':');
			append(property.getType(), property.isRequired());
		});
		this.text.append('}');
	}

	/** Return the properties of a class that is read as an object; otherwise empty. */
	private Map<String, BeanProperty> readProperties(JavaType type) {
		Map<String, BeanProperty> properties = new TreeMap<>();
		try {
			if (!ArgumentTypes.isScalar(type.getRawClass()) && this.mapper._deserializationContext()
				.findNonContextualValueDeserializer(type) instanceof BeanDeserializerBase bean) {
				bean.properties().forEachRemaining((property) -> properties.put(property.getName(), property));
			}
		}
		catch (RuntimeException | LinkageError ex) {
			// Ignored, because such a type was already refused when the application
			// started.
		}
		return properties;
	}

}
