package io.github.steadyjobs.arguments;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;

import io.github.steadyjobs.arguments.ArgumentTypes.Unsafe;
import io.github.steadyjobs.arguments.ValueCheck.ArgumentValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.SerializationContextExt;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

import org.springframework.core.KotlinDetector;

/**
 * Walks a type, reports everything that cannot be stored as JSON, and returns a check for
 * those values that the type alone does not make safe. Examines the properties that the
 * mapper would write, so annotations, modules and visibility have the same effect as in
 * the mapper. Used once.
 */
final class TypeWalk {

	// The interfaces for which Jackson chooses an implementation.
	private static final Set<Class<?>> COLLECTIONS = Set.of(Collection.class, List.class, Set.class, SortedSet.class,
			NavigableSet.class, Map.class, SortedMap.class, NavigableMap.class);

	private final JsonMapper mapper;

	private final @Nullable ValueCheck any;

	private final Consumer<Unsafe> problems;

	private final Map<JavaType, ValueCheck> seen = new HashMap<>();

	/**
	 * Create a walk.
	 * @param any checks values whose declared type may have subclasses; {@code null} to
	 * walk the declared type instead
	 */
	TypeWalk(JsonMapper mapper, @Nullable ValueCheck any, Consumer<Unsafe> problems) {
		this.mapper = mapper;
		this.any = any;
		this.problems = problems;
	}

	/**
	 * Walk a declared type. If the type may have subclasses, and there is a check for any
	 * value, only that check is returned.
	 * @param path the path at which the type is declared
	 * @return the check for values of the type
	 */
	ValueCheck walk(JavaType type, String path) {
		Class<?> raw = type.getRawClass();
		boolean open = !ArgumentTypes.isScalar(raw) && !Modifier.isFinal(raw.getModifiers());
		return (open && this.any != null) ? this.any : walkExactly(type, path);
	}

	/** Walk a type as if it had no subclasses. */
	private ValueCheck walkExactly(JavaType type, String path) {
		Class<?> raw = type.getRawClass();
		if (ArgumentTypes.isScalar(raw)) {
			return ValueCheck.scalar(raw);
		}
		if (raw.isArray()) {
			return ValueCheck.elements(walk(type.getContentType(), path + "[*]"));
		}
		if (raw == Optional.class) {
			ValueCheck content = walk(type.containedTypeOrUnknown(0), path);
			return (content == ValueCheck.SAFE) ? content
					: (value) -> ((Optional<?>) value.value()).ifPresent((inner) -> content.check(value.with(inner)));
		}
		if (Map.class.isAssignableFrom(raw) || Collection.class.isAssignableFrom(raw)) {
			return walkContainer(type, path);
		}
		Unsafe refusal = ArgumentTypes.refuse(raw);
		return (refusal != null) ? report(refusal.at(path)) : walkBean(type, path);
	}

	private ValueCheck walkContainer(JavaType type, String path) {
		Class<?> raw = type.getRawClass();
		JavaType key = type.getKeyType();
		if (this.any == null) {
			boolean unknown = Modifier.isAbstract(raw.getModifiers()) && !COLLECTIONS.contains(raw);
			Unsafe refusal = unknown ? ArgumentTypes.refuse(raw) : null;
			if (refusal == null && key != null && !ArgumentTypes.isKey(key.getRawClass())) {
				refusal = ArgumentTypes.refuseKey("has keys of type " + key.getRawClass().getName());
			}
			if (refusal != null) {
				return report(refusal.at(path));
			}
		}
		ValueCheck content = walk(type.getContentType(), path + "[*]");
		return (key != null) ? ValueCheck.entries(content) : ValueCheck.elements(content);
	}

	private ValueCheck walkBean(JavaType type, String path) {
		ValueCheck known = this.seen.get(type);
		if (known != null) {
			return known;
		}
		// A placeholder for a type that contains itself. Values can form a cycle only
		// through such a type, so cycles are detected here.
		this.seen.put(type, (value) -> {
			value.refuseCycle();
			Objects.requireNonNull(this.seen.get(type)).check(value);
		});
		ValueCheck check = walkProperties(type, path);
		this.seen.put(type, check);
		return check;
	}

	private ValueCheck walkProperties(JavaType type, String path) {
		ValueSerializer<?> serializer;
		try {
			SerializationContextExt context = this.mapper._serializationContext();
			if (context.findTypeSerializer(type) != null) {
				return report(new Unsafe(path, "has a @JsonTypeInfo, and JSON must not choose a class",
						"Declare the one class that is meant."));
			}
			serializer = context.findValueSerializer(type);
			Unsafe refusal = refuse(type, serializer, path);
			if (refusal != null) {
				return report(refusal);
			}
		}
		catch (JacksonException ex) {
			return report(new Unsafe(path, "cannot be handled by Jackson: " + ex.getOriginalMessage(),
					"Mend the class, or pass a record."));
		}
		// Any other serializer belongs to the application, which is responsible for it.
		boolean custom = !(serializer instanceof BeanSerializerBase);
		Map<BeanPropertyWriter, ValueCheck> open = custom ? Map.of() : openProperties(serializer, path);
		boolean exact = custom || Modifier.isFinal(type.getRawClass().getModifiers());
		return (exact && open.isEmpty()) ? ValueCheck.SAFE : ValueCheck.properties(type.getRawClass(), open);
	}

	private Map<BeanPropertyWriter, ValueCheck> openProperties(ValueSerializer<?> serializer, String path) {
		Map<BeanPropertyWriter, ValueCheck> open = new LinkedHashMap<>();
		serializer.properties().forEachRemaining((property) -> {
			if (property instanceof BeanPropertyWriter writer && !isCustom(writer)) {
				JavaType declared = writer.getSerializationType();
				ValueCheck check = walk((declared != null) ? declared : writer.getType(),
						path + "." + writer.getName());
				if (check != ValueCheck.SAFE) {
					open.put(writer, check);
				}
			}
		});
		return open;
	}

	private static boolean isCustom(BeanPropertyWriter writer) {
		JsonSerialize annotation = writer.getAnnotation(JsonSerialize.class);
		return annotation != null && annotation.using() != ValueSerializer.None.class;
	}

	private @Nullable Unsafe refuse(JavaType type, ValueSerializer<?> serializer, String path) {
		String name = type.getRawClass().getName();
		boolean bean = serializer instanceof BeanSerializerBase;
		if (bean && this.any == null && !isReadable(type)) {
			String instead = KotlinDetector.isKotlinType(type.getRawClass())
					? "Add tools.jackson.module:jackson-module-kotlin" : "Make it a record";
			return new Unsafe(path, "is of type %s, which cannot be created again".formatted(name),
					instead + ", or give it a constructor without parameters.");
		}
		boolean empty = bean ? !serializer.properties().hasNext() : isUnknown(type, serializer);
		return (!empty || type.isRecordType()) ? null
				: new Unsafe(path, "is of type %s, for which nothing would be written".formatted(name),
						"Make it a record, or give it getters.");
	}

	private boolean isReadable(JavaType type) {
		ValueDeserializer<?> deserializer = this.mapper._deserializationContext()
			.findNonContextualValueDeserializer(type);
		return !(deserializer instanceof BeanDeserializerBase bean) || bean.getValueInstantiator().canInstantiate();
	}

	private boolean isUnknown(JavaType type, ValueSerializer<?> serializer) {
		return serializer
			.getClass() == this.mapper._serializationContext().getUnknownTypeSerializer(type.getRawClass()).getClass();
	}

	private ValueCheck report(Unsafe unsafe) {
		this.problems.accept(unsafe);
		return ValueCheck.SAFE;
	}

	/** Checks values of undeclared types by their classes. */
	static final class AnyCheck implements ValueCheck {

		// A ClassValue is released together with the class. Other caches would prevent
		// the class from being unloaded.
		private final ClassValue<ValueCheck> checks = new ClassValue<>() {

			@Override
			protected ValueCheck computeValue(Class<?> type) {
				List<Unsafe> problems = new ArrayList<>();
				ValueCheck check = new TypeWalk(AnyCheck.this.mapper, AnyCheck.this, problems::add)
					.walkExactly(AnyCheck.this.mapper.constructType(type), "");
				return problems.isEmpty() ? check : (value) -> {
					throw value.refuse(problems.get(0));
				};
			}

		};

		private final JsonMapper mapper;

		AnyCheck(JsonMapper mapper) {
			this.mapper = mapper;
		}

		@Override
		public void check(ArgumentValue value) {
			ValueCheck check = this.checks.get(value.value().getClass());
			if (check != SAFE) {
				value.refuseCycle();
				check.check(value);
			}
		}

	}

}
