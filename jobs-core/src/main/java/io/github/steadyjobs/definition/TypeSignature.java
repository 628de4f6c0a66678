package io.github.steadyjobs.definition;

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
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a short text of types, by which two releases of an application tell whether they
 * read the same JSON: of the names and types of properties, in any order, of the
 * constants of enums, and so on down. Names of classes count only where nothing else
 * tells.
 */
final class TypeSignature {

	private static final int BYTES = 6;

	private final JacksonTypes jackson;

	private final StringBuilder text = new StringBuilder();

	private final Map<JavaType, Integer> seen = new HashMap<>();

	private TypeSignature(JsonMapper mapper) {
		this.jackson = new JacksonTypes(mapper);
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
		if (ScalarTypes.isEnum(raw)) {
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
		if (before == null && ScalarTypes.find(type.getRawClass()) == null) {
			properties.putAll(this.jackson.readProperties(type));
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
