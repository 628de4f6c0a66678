package io.github.steadyjobs.arguments;

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

import io.github.steadyjobs.arguments.ValueCheck.BackReference;
import io.github.steadyjobs.arguments.ValueCheck.BeanCheck;
import io.github.steadyjobs.arguments.ValueCheck.ElementsCheck;
import io.github.steadyjobs.arguments.ValueCheck.MapCheck;
import io.github.steadyjobs.arguments.ValueCheck.PropertyCheck;
import io.github.steadyjobs.arguments.ValueCheck.Unsafe;
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

/**
 * Walks a type, reports what cannot be stored as JSON, and leaves a check of values for
 * what the type does not tell. Looks at the properties that the mapper would write, so
 * that annotations, modules and visibility count here as they do there. Used once.
 */
final class TypeWalk {

	// The interfaces that Jackson has a class for.
	private static final Set<Class<?>> COLLECTIONS = Set.of(Collection.class, List.class, Set.class, SortedSet.class,
			NavigableSet.class, Map.class, SortedMap.class, NavigableMap.class);

	private final JsonMapper mapper;

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
		this.mapper = mapper;
		this.any = any;
		this.problems = problems;
	}

	/**
	 * Walk the class of a value.
	 * @param type the class
	 * @return the check
	 */
	ValueCheck walkClass(Class<?> type) {
		ValueCheck scalar = ArgumentTypes.scalar(type);
		return (scalar != null) ? scalar : walkStructure(this.mapper.constructType(type), "");
	}

	/**
	 * Walk a declared type.
	 * @param type the type
	 * @param path where it is declared
	 * @return the check
	 */
	ValueCheck walk(JavaType type, String path) {
		ValueCheck scalar = ArgumentTypes.scalar(type.getRawClass());
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
			return content.isPrimitive() ? ArgumentTypes.primitives(content.getRawClass())
					: ElementsCheck.of(walk(content, path + "[*]"));
		}
		if (raw == Optional.class) {
			return optional(walk(type.containedTypeOrUnknown(0), path));
		}
		boolean map = Map.class.isAssignableFrom(raw);
		if (map || Collection.class.isAssignableFrom(raw)) {
			return map ? walkMap(type, path) : walkCollection(type, path);
		}
		Unsafe refusal = ArgumentTypes.refuse(raw);
		return (refusal != null) ? report(refusal, path) : walkBean(type, path);
	}

	private ValueCheck walkCollection(JavaType type, String path) {
		if (isUnknownInterface(type.getRawClass())) {
			return report(ArgumentTypes.abstractType(type.getRawClass()), path);
		}
		return ElementsCheck.of(walk(type.getContentType(), path + "[*]"));
	}

	private ValueCheck walkMap(JavaType type, String path) {
		if (isUnknownInterface(type.getRawClass())) {
			return report(ArgumentTypes.abstractType(type.getRawClass()), path);
		}
		Class<?> key = type.getKeyType().getRawClass();
		if (this.any == null && !ArgumentTypes.isKey(key)) {
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
		ValueSerializer<?> serializer;
		try {
			SerializationContextExt context = this.mapper._serializationContext();
			if (context.findTypeSerializer(type) != null) {
				return report(Unsafe.here("has a @JsonTypeInfo, and JSON must not choose a class",
						"Declare the one class that is meant."), path);
			}
			serializer = context.findValueSerializer(type);
			Unsafe refusal = refuse(type, serializer);
			if (refusal != null) {
				return report(refusal, path);
			}
		}
		catch (JacksonException ex) {
			return report(Unsafe.here("cannot be handled by Jackson: " + ex.getOriginalMessage(),
					"Mend the class, or pass a record."), path);
		}
		// Whatever else writes the class is a serializer of the application's.
		boolean custom = !(serializer instanceof BeanSerializerBase);
		List<PropertyCheck> open = custom ? List.of() : openProperties(serializer, path);
		boolean exact = custom || Modifier.isFinal(type.getRawClass().getModifiers());
		return (exact && open.isEmpty()) ? ValueCheck.SAFE : new BeanCheck(type.getRawClass(), open);
	}

	private List<PropertyCheck> openProperties(ValueSerializer<?> serializer, String path) {
		List<PropertyCheck> open = new ArrayList<>();
		serializer.properties().forEachRemaining((property) -> {
			if (property instanceof BeanPropertyWriter writer && !isCustom(writer)) {
				JavaType declared = writer.getSerializationType();
				ValueCheck check = walk((declared != null) ? declared : writer.getType(),
						path + "." + writer.getName());
				if (check != ValueCheck.SAFE) {
					open.add(new PropertyCheck(writer, check));
				}
			}
		});
		return open;
	}

	private static boolean isCustom(BeanPropertyWriter writer) {
		JsonSerialize annotation = writer.getAnnotation(JsonSerialize.class);
		return annotation != null && annotation.using() != ValueSerializer.None.class;
	}

	/**
	 * Return what stands against a class that is written in this way.
	 */
	private @Nullable Unsafe refuse(JavaType type, ValueSerializer<?> serializer) {
		if (serializer instanceof BeanSerializerBase && this.any == null && !isReadable(type)) {
			return Unsafe.here("is of type %s, which cannot be created again".formatted(type.getRawClass().getName()),
					"Make it a record, or give it a constructor without parameters.");
		}
		return isEmpty(type, serializer) ? Unsafe.here(
				"is of type %s, of which nothing would be written".formatted(type.getRawClass().getName()),
				"Make it a record, or give it getters.") : null;
	}

	private boolean isReadable(JavaType type) {
		ValueDeserializer<?> deserializer = this.mapper._deserializationContext()
			.findNonContextualValueDeserializer(type);
		return !(deserializer instanceof BeanDeserializerBase bean) || bean.getValueInstantiator().canInstantiate();
	}

	private boolean isEmpty(JavaType type, ValueSerializer<?> serializer) {
		if (type.isRecordType()) {
			return false;
		}
		return (serializer instanceof BeanSerializerBase bean) ? bean.propertyCount() == 0 : serializer
			.getClass() == this.mapper._serializationContext().getUnknownTypeSerializer(type.getRawClass()).getClass();
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
