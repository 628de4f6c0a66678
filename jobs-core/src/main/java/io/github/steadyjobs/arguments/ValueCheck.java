package io.github.steadyjobs.arguments;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Looks for values that JSON cannot hold, as far as the declared type left that open.
 * Thread safe.
 */
@FunctionalInterface
interface ValueCheck {

	/**
	 * Every value of the declared type can be stored, so that none is looked at.
	 */
	ValueCheck SAFE = (value, ancestors) -> null;

	/**
	 * Check a value.
	 * @param value the value
	 * @param ancestors what it lies in, as far as a cycle may go through it
	 * @return what was found, or {@code null} if the value can be stored
	 */
	@Nullable Unsafe check(Object value, @Nullable Ancestors ancestors);

	default @Nullable Unsafe checkNullable(@Nullable Object value, @Nullable Ancestors ancestors) {
		return (value != null) ? check(value, ancestors) : null;
	}

	/**
	 * Something that cannot be stored as JSON and read back.
	 *
	 * @param path where it is, as in {@code args[0].lines[3].price}
	 * @param found what it is, as the rest of a sentence
	 * @param advice what to do instead, as a sentence
	 */
	record Unsafe(String path, String found, String advice) {

		/**
		 * Create a finding at the place that is being looked at. The caller adds the way
		 * there, so that a path is made only when it is needed.
		 * @param found what was found
		 * @param advice what to do instead
		 * @return the finding
		 */
		static Unsafe here(String found, String advice) {
			return new Unsafe("", found, advice);
		}

		Unsafe within(String step) {
			return new Unsafe(step + this.path, this.found, this.advice);
		}

		String description() {
			return this.path + " " + this.found + ".";
		}

	}

	/**
	 * The values around the one that is being checked, innermost first. Only values of
	 * types that can contain themselves are noted.
	 *
	 * @param value the innermost value
	 * @param parent what it lies in
	 * @param depth how many there are
	 */
	record Ancestors(Object value, @Nullable Ancestors parent, int depth) {

		// Deeper than what is read back: JobJson stops at 64, two of which are around
		// args.
		private static final int MAX_DEPTH = 62;

		static Ancestors of(@Nullable Ancestors parent, Object value) {
			return new Ancestors(value, parent, (parent != null) ? parent.depth() + 1 : 1);
		}

		static @Nullable Unsafe refuse(@Nullable Ancestors ancestors, Object value) {
			if (ancestors != null && ancestors.depth() >= MAX_DEPTH) {
				return Unsafe.here("is nested deeper than JSON is read back",
						"Pass ids instead of the whole structure.");
			}
			for (Ancestors ancestor = ancestors; ancestor != null; ancestor = ancestor.parent()) {
				if (ancestor.value() == value) {
					return Unsafe.here("is a cycle: this %s contains itself".formatted(value.getClass().getName()),
							"Pass ids instead of references.");
				}
			}
			return null;
		}

	}

	/**
	 * Checks values of which no type is known, by the classes that they have.
	 */
	final class AnyCheck implements ValueCheck {

		// Goes away with the class, which a cache of ours would keep from being unloaded.
		private final ClassValue<ValueCheck> checks = new ClassValue<>() {

			@Override
			protected ValueCheck computeValue(Class<?> type) {
				return AnyCheck.this.checkOf(type);
			}

		};

		private final JsonMapper mapper;

		AnyCheck(JsonMapper mapper) {
			this.mapper = mapper;
		}

		@Override
		public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
			ValueCheck check = this.checks.get(value.getClass());
			if (check == SAFE) {
				return null;
			}
			Unsafe unsafe = Ancestors.refuse(ancestors, value);
			return (unsafe != null) ? unsafe : check.check(value, Ancestors.of(ancestors, value));
		}

		private ValueCheck checkOf(Class<?> type) {
			List<Unsafe> problems = new ArrayList<>();
			ValueCheck check = new TypeWalk(this.mapper, this, problems::add).walkClass(type);
			return problems.isEmpty() ? check : (value, ancestors) -> problems.get(0);
		}

	}

	/**
	 * Stands for the check of a type inside of that very type. Values can form a cycle
	 * only through one of these, so here is where cycles are looked for.
	 */
	final class BackReference implements ValueCheck {

		private volatile ValueCheck target = SAFE;

		private boolean used;

		BackReference use() {
			this.used = true;
			return this;
		}

		/**
		 * Set what this stands for.
		 * @param target the check of the type
		 * @return the check to use: itself only if the type contains itself
		 */
		ValueCheck resolve(ValueCheck target) {
			this.target = target;
			return this.used ? this : target;
		}

		@Override
		public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
			Unsafe unsafe = Ancestors.refuse(ancestors, value);
			return (unsafe != null) ? unsafe : this.target.check(value, Ancestors.of(ancestors, value));
		}

	}

	/**
	 * Checks those properties of a record or a class whose types promise nothing.
	 *
	 * @param type the declared class
	 * @param properties the properties to look at
	 */
	record BeanCheck(Class<?> type, List<PropertyCheck> properties) implements ValueCheck {

		@Override
		public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
			if (value.getClass() != this.type) {
				return Unsafe.here(
						"is of type %s, which is below the declared %s".formatted(value.getClass().getName(),
								this.type.getName()),
						"Pass the declared class itself: what the other one adds would be lost.");
			}
			for (PropertyCheck property : this.properties) {
				Unsafe unsafe = property.check(value, ancestors);
				if (unsafe != null) {
					return unsafe.within("." + property.writer().getName());
				}
			}
			return null;
		}

	}

	/**
	 * Checks one property of an object.
	 *
	 * @param writer reads the property as it is when it is written
	 * @param check checks its value
	 */
	record PropertyCheck(BeanPropertyWriter writer, ValueCheck check) implements ValueCheck {

		@Override
		public @Nullable Unsafe check(Object bean, @Nullable Ancestors ancestors) {
			try {
				return this.check.checkNullable(this.writer.get(bean), ancestors);
			}
			catch (InvocationTargetException ex) {
				return Unsafe.here("cannot be read: " + ex.getTargetException(), "Mend the method that returns it.");
			}
			// BeanPropertyWriter.get declares no less.
			catch (Exception ex) {
				return Unsafe.here("cannot be read: " + ex, "Make it readable for Jackson.");
			}
		}

	}

	/**
	 * Checks the elements of a collection or an array.
	 *
	 * @param element checks each of them
	 */
	record ElementsCheck(ValueCheck element) implements ValueCheck {

		static ValueCheck of(ValueCheck element) {
			return (element != SAFE) ? new ElementsCheck(element) : SAFE;
		}

		@Override
		public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
			Collection<?> elements = (value instanceof Collection<?> collection) ? collection
					: Arrays.asList((Object[]) value);
			int index = 0;
			for (Object candidate : elements) {
				Unsafe unsafe = this.element.checkNullable(candidate, ancestors);
				if (unsafe != null) {
					return unsafe.within("[" + index + "]");
				}
				index++;
			}
			return null;
		}

	}

	/**
	 * Checks the keys and values of a map. Keys always: a type does not say that none is
	 * null.
	 *
	 * @param value checks each of the values
	 */
	record MapCheck(ValueCheck value) implements ValueCheck {

		@Override
		public @Nullable Unsafe check(Object map, @Nullable Ancestors ancestors) {
			for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
				Object key = entry.getKey();
				if (key == null || !ArgumentTypes.isKey(key.getClass())) {
					return Unsafe.here(
							"has a key " + ((key != null) ? "of type " + key.getClass().getName() : "that is null"),
							"Use strings, enum constants or UUIDs as keys.");
				}
				Unsafe unsafe = this.value.checkNullable(entry.getValue(), ancestors);
				if (unsafe != null) {
					return unsafe.within("." + key);
				}
			}
			return null;
		}

	}

}
