package io.github.steadyjobs.arguments;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a short text of types, by which two releases of an application tell whether they
 * read the same JSON: of the names and types of properties, in any order, of the
 * constants of enums, and so on down. Names of classes count only where nothing else
 * tells.
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
	 * Return the signature of types.
	 * @param types the types, in order
	 * @param mapper reads them
	 * @return 12 hex digits
	 */
	static String of(List<JavaType> types, JsonMapper mapper) {
		TypeSignature signature = new TypeSignature(mapper);
		types.forEach(signature::append);
		return digest(signature.text.toString());
	}

	private void append(JavaType type) {
		Class<?> raw = type.getRawClass();
		if (ArgumentTypes.isEnum(raw)) {
			TreeSet<String> constants = new TreeSet<>();
			for (Object constant : raw.getEnumConstants()) {
				constants.add(((Enum<?>) constant).name());
			}
			this.text.append(constants);
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
		Map<String, JavaType> properties = new TreeMap<>();
		if (before == null && ArgumentTypes.scalar(type.getRawClass()) == null) {
			properties.putAll(readProperties(type));
		}
		if (before != null) {
			this.text.append('#').append(before);
		}
		else if (properties.isEmpty()) {
			this.text.append(type.toCanonical());
		}
		else {
			this.text.append('{');
			properties.forEach((name, property) -> {
				this.text.append(name).append(':');
				append(property);
			});
			this.text.append('}');
		}
	}

	/**
	 * Return what is read of a class, if it is read as an object.
	 * @param type the type
	 * @return names and types of the properties; none where the class is read in a way of
	 * its own, or not at all
	 */
	private Map<String, JavaType> readProperties(JavaType type) {
		Map<String, JavaType> properties = new HashMap<>();
		try {
			ValueDeserializer<?> deserializer = this.mapper._deserializationContext()
				.findNonContextualValueDeserializer(type);
			if (deserializer instanceof BeanDeserializerBase bean) {
				bean.properties()
					.forEachRemaining((property) -> properties.put(property.getName(), property.getType()));
			}
		}
		catch (RuntimeException | LinkageError ex) {
			// The type was looked at when the application started.
		}
		return properties;
	}

	private static String digest(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256, which every Java platform has, is missing", ex);
		}
	}

}
