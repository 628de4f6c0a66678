package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
 * What the mapper would write of a class, so that annotations, modules and visibility
 * count here as they do there.
 */
final class JacksonTypes {

	private final JsonMapper mapper;

	JacksonTypes(JsonMapper mapper) {
		this.mapper = mapper;
	}

	JavaType typeOf(Class<?> type) {
		return this.mapper.constructType(type);
	}

	JavaType typeOf(BeanPropertyWriter writer) {
		JavaType declared = writer.getSerializationType();
		return (declared != null) ? declared : writer.getType();
	}

	/**
	 * Return the properties of a class that is written as an object.
	 * @param type the type
	 * @param readable whether it has to be read back here
	 * @return the properties, or what stands against the class
	 */
	Properties properties(JavaType type, boolean readable) {
		try {
			SerializationContextExt context = this.mapper._serializationContext();
			if (context.findTypeSerializer(type) != null) {
				return Properties.unsafe("has a @JsonTypeInfo, and JSON must not choose a class",
						"Declare the one class that is meant.");
			}
			ValueSerializer<?> serializer = context.findValueSerializer(type);
			if (!(serializer instanceof BeanSerializerBase bean)) {
				return isEmpty(type, serializer) ? Properties.nothing(type) : Properties.CUSTOM;
			}
			return (readable && !isReadable(type)) ? Properties.noConstructor(type) : properties(type, bean);
		}
		catch (JacksonException ex) {
			return Properties.unsafe("cannot be handled by Jackson: " + ex.getOriginalMessage(),
					"Mend the class, or pass a record.");
		}
	}

	private Properties properties(JavaType type, BeanSerializerBase serializer) {
		List<BeanPropertyWriter> writers = new ArrayList<>();
		serializer.properties().forEachRemaining((property) -> {
			if (property instanceof BeanPropertyWriter writer && !isCustom(writer)) {
				writers.add(writer);
			}
		});
		boolean nothing = serializer.propertyCount() == 0 && !type.isRecordType();
		return nothing ? Properties.nothing(type) : new Properties(writers, false, null);
	}

	private boolean isEmpty(JavaType type, ValueSerializer<?> serializer) {
		return !type.isRecordType() && serializer
			.getClass() == this.mapper._serializationContext().getUnknownTypeSerializer(type.getRawClass()).getClass();
	}

	private boolean isReadable(JavaType type) {
		ValueDeserializer<?> deserializer = this.mapper._deserializationContext()
			.findNonContextualValueDeserializer(type);
		return !(deserializer instanceof BeanDeserializerBase bean) || bean.getValueInstantiator().canInstantiate();
	}

	/**
	 * Return what is read of a class, if it is read as an object.
	 * @param type the type
	 * @return names and types of the properties; none where the class is read in a way of
	 * its own, or not at all
	 */
	Map<String, JavaType> readProperties(JavaType type) {
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

	private static boolean isCustom(BeanPropertyWriter writer) {
		JsonSerialize annotation = writer.getAnnotation(JsonSerialize.class);
		return annotation != null && annotation.using() != ValueSerializer.None.class;
	}

	/**
	 * The properties of a class.
	 *
	 * @param writers those that are written by their type
	 * @param custom whether a serializer of the application's writes the class
	 * @param unsafe what stands against the class
	 */
	record Properties(List<BeanPropertyWriter> writers, boolean custom, @Nullable Unsafe unsafe) {

		static final Properties CUSTOM = new Properties(List.of(), true, null);

		static Properties unsafe(String found, String advice) {
			return new Properties(List.of(), false, Unsafe.here(found, advice));
		}

		static Properties nothing(JavaType type) {
			return unsafe("is of type %s, of which nothing would be written".formatted(type.getRawClass().getName()),
					"Make it a record, or give it getters.");
		}

		static Properties noConstructor(JavaType type) {
			return unsafe("is of type %s, which cannot be created again".formatted(type.getRawClass().getName()),
					"Make it a record, or give it a constructor without parameters.");
		}

	}

}
