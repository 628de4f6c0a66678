package io.github.steadyjobs.definition;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Walks a type, reports what cannot be stored as JSON, and leaves a check of values for
 * what the type does not tell. Used once.
 */
final class TypeWalk {

	// The interfaces that Jackson has a class for.
	private static final Set<Class<?>> COLLECTIONS = Set.of(Collection.class, List.class, Set.class, SortedSet.class,
			NavigableSet.class, Map.class, SortedMap.class, NavigableMap.class);

	private final JacksonTypes jackson;

	private final @Nullable ValueCheck any;

	private final Consumer<Unsafe> problems;

	private final Map<JavaType, ValueCheck> seen = new HashMap<>();

	/**
	 * Create a walk.
	 * @param mapper knows the properties of a class
	 * @param any checks what only the value tells, or {@code null} if the type has to
	 * tell
	 * @param problems takes what was found
	 */
	TypeWalk(JsonMapper mapper, @Nullable ValueCheck any, Consumer<Unsafe> problems) {
		this.jackson = new JacksonTypes(mapper);
		this.any = any;
		this.problems = problems;
	}

	/**
	 * Walk the class of a value.
	 * @param type the class
	 * @return the check
	 */
	ValueCheck walkClass(Class<?> type) {
		ValueCheck scalar = ScalarTypes.find(type);
		return (scalar != null) ? scalar : walkStructure(this.jackson.typeOf(type), "");
	}

	/**
	 * Walk a declared type.
	 * @param type the type
	 * @param path where it is declared
	 * @return the check
	 */
	ValueCheck walk(JavaType type, String path) {
		ValueCheck scalar = ScalarTypes.find(type.getRawClass());
		if (scalar != null) {
			return scalar;
		}
		boolean open = !Modifier.isFinal(type.getRawClass().getModifiers());
		return (open && this.any != null) ? this.any : walkStructure(type, path);
	}

	private ValueCheck walkStructure(JavaType type, String path) {
		Class<?> raw = type.getRawClass();
		if (raw.isArray()) {
			JavaType content = type.getContentType();
			return content.isPrimitive() ? ScalarTypes.primitives(content.getRawClass())
					: ElementsCheck.of(walk(content, path + "[*]"));
		}
		if (raw == Optional.class) {
			return optional(walk(type.containedTypeOrUnknown(0), path));
		}
		boolean map = Map.class.isAssignableFrom(raw);
		if (map || Collection.class.isAssignableFrom(raw)) {
			return map ? walkMap(type, path) : walkCollection(type, path);
		}
		Unsafe refusal = Refusals.find(raw);
		return (refusal != null) ? report(refusal, path) : walkBean(type, path);
	}

	private ValueCheck walkCollection(JavaType type, String path) {
		if (isUnknownInterface(type.getRawClass())) {
			return report(Refusals.abstractType(type.getRawClass()), path);
		}
		return ElementsCheck.of(walk(type.getContentType(), path + "[*]"));
	}

	private ValueCheck walkMap(JavaType type, String path) {
		if (isUnknownInterface(type.getRawClass())) {
			return report(Refusals.abstractType(type.getRawClass()), path);
		}
		Class<?> key = type.getKeyType().getRawClass();
		if (this.any == null && !ScalarTypes.isKey(key)) {
			return report(
					Unsafe.here("has keys of type " + key.getName(), "Use strings, enum constants or UUIDs as keys."),
					path);
		}
		return new MapCheck(walk(type.getContentType(), path + "[*]"));
	}

	private boolean isUnknownInterface(Class<?> raw) {
		return this.any == null && Modifier.isAbstract(raw.getModifiers()) && !COLLECTIONS.contains(raw);
	}

	private ValueCheck walkBean(JavaType type, String path) {
		ValueCheck known = this.seen.get(type);
		if (known != null) {
			return (known instanceof BackReference reference) ? reference.use() : known;
		}
		BackReference reference = new BackReference();
		this.seen.put(type, reference);
		ValueCheck check = reference.resolve(walkProperties(type, path));
		this.seen.put(type, check);
		return check;
	}

	private ValueCheck walkProperties(JavaType type, String path) {
		JacksonTypes.Properties properties = this.jackson.properties(type, this.any == null);
		if (properties.unsafe() != null) {
			return report(properties.unsafe(), path);
		}
		List<BeanCheck.Property> open = new ArrayList<>();
		properties.writers().forEach((writer) -> {
			ValueCheck check = walk(this.jackson.typeOf(writer), path + "." + writer.getName());
			if (check != ValueCheck.SAFE) {
				open.add(new BeanCheck.Property(writer, check));
			}
		});
		boolean exact = properties.custom() || Modifier.isFinal(type.getRawClass().getModifiers());
		return (exact && open.isEmpty()) ? ValueCheck.SAFE : new BeanCheck(type.getRawClass(), open);
	}

	private ValueCheck report(Unsafe unsafe, String path) {
		this.problems.accept(unsafe.within(path));
		return ValueCheck.SAFE;
	}

	private static ValueCheck optional(ValueCheck content) {
		return (content == ValueCheck.SAFE) ? content
				: (value, ancestors) -> content.checkNullable(((Optional<?>) value).orElse(null), ancestors);
	}

}
