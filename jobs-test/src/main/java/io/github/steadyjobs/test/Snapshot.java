package io.github.steadyjobs.test;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.DigestUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A copy of the observed state, in which each value is stored under its path. The copy
 * shares no objects with the job, which could change them afterwards. If objects were
 * shared, an object might be compared with itself.
 */
final class Snapshot {

	private static final int MOST_VALUES = 100_000;

	private static final int DEEPEST = 200;

	private static final int MOST_DIFFERENCES = 10;

	private static final int LONGEST_VALUE = 200;

	private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

	private final Set<Object> ancestors = Collections.newSetFromMap(new IdentityHashMap<>());

	private Snapshot() {
	}

	/**
	 * Copy a value.
	 * @throws IllegalArgumentException if it has no content that can be compared
	 */
	static Snapshot of(@Nullable Object value) {
		Snapshot snapshot = new Snapshot();
		snapshot.add("", value);
		return snapshot;
	}

	private void add(String path, @Nullable Object value) {
		if (value == null || value instanceof Enum<?> || value instanceof Class<?>) {
			put(path, value);
		}
		else if (value instanceof CharSequence || value instanceof Throwable
				|| value.getClass().getName().startsWith("java.util.concurrent.atomic.")) {
			put(path, value.toString());
		}
		else if (value instanceof Date date) {
			put(path, date.clone());
		}
		else if (value instanceof byte[] bytes) {
			// Bytes are usually the content of a file. A difference in single bytes would
			// explain nothing, so a hash is enough.
			put(path, "%,d bytes with MD5 %s".formatted(bytes.length, DigestUtils.md5DigestAsHex(bytes)));
		}
		else if (isProxy(value.getClass())) {
			throw hidden(path, value, "which is a proxy that hides what is behind it");
		}
		else if (!isContainer(value) && isOfJdk(value.getClass())) {
			requireEquals(path, value);
			put(path, value);
		}
		else if (this.ancestors.size() >= DEEPEST) {
			throw tooMuch();
		}
		else if (this.ancestors.add(value)) {
			addParts(path, value);
			this.ancestors.remove(value);
		}
		else {
			put(path, "the same as one that it is in");
		}
	}

	private static void requireEquals(String path, Object value) {
		Method equals = ReflectionUtils.findMethod(value.getClass(), "equals", Object.class);
		if (equals == null || equals.getDeclaringClass() == Object.class) {
			throw hidden(path, value, "which cannot be compared");
		}
	}

	private static IllegalArgumentException hidden(String path, Object value, String why) {
		return new IllegalArgumentException(
				"What was observed has a %s at '%s', %s. Observe values, such as those of a record or a list."
					.formatted(value.getClass().getName(), path, why));
	}

	private void addParts(String path, Object value) {
		if (value.getClass().isArray()) {
			int length = Array.getLength(value);
			put(path, size(length));
			for (int i = 0; i < length; i++) {
				add(path + "[" + i + "]", Array.get(value, i));
			}
		}
		else if (value instanceof Collection<?> collection) {
			addElements(path, collection);
		}
		else if (value instanceof Map<?, ?> map) {
			put(path, size(map.size()));
			map.forEach((key, element) -> add(path + "[" + textOf(key) + "]", element));
		}
		else if (value instanceof Map.Entry<?, ?> entry) {
			add(path + "[" + textOf(entry.getKey()) + "]", entry.getValue());
		}
		else if (value instanceof Optional<?> optional) {
			add(path, optional.orElse(null));
		}
		else {
			put(path, value.getClass().getName());
			addFields(path, value, value.getClass());
		}
	}

	private void addElements(String path, Collection<?> collection) {
		put(path, size(collection.size()));
		Collection<?> elements = collection;
		if (collection instanceof Set<?>) {
			// Equal sets may return their elements in different orders.
			elements = collection.stream()
				.map((element) -> Map.entry(textOf(element), Optional.ofNullable(element)))
				.sorted(Map.Entry.comparingByKey())
				.map(Map.Entry::getValue)
				.toList();
		}
		int index = 0;
		for (Object element : elements) {
			add(path + "[" + index++ + "]", element);
		}
	}

	private void addFields(String path, Object value, @Nullable Class<?> type) {
		if (type == null || type == Object.class || type == Record.class) {
			return;
		}
		if (isOfJdk(type)) {
			throw hidden(path, value, "which is a " + type.getName() + " that hides what is in it");
		}
		addFields(path, value, type.getSuperclass());
		for (Field field : type.getDeclaredFields()) {
			// Fields with a $ in their names were added by proxies and other tools.
			if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
					&& !field.isSynthetic() && !field.getName().contains("$")) {
				ReflectionUtils.makeAccessible(field);
				add(path + "." + field.getName(), ReflectionUtils.getField(field, value));
			}
		}
	}

	private void put(String path, @Nullable Object value) {
		if (this.values.size() >= MOST_VALUES) {
			throw tooMuch();
		}
		this.values.put(path, value);
	}

	private static boolean isContainer(Object value) {
		return value.getClass().isArray() || value instanceof Collection<?> || value instanceof Map<?, ?>
				|| value instanceof Map.Entry<?, ?> || value instanceof Optional<?>;
	}

	// Lambdas count as proxies, because neither kind has meaningful fields.
	private static boolean isProxy(Class<?> type) {
		return Proxy.isProxyClass(type) || type.getName().contains(ClassUtils.CGLIB_CLASS_SEPARATOR)
				|| type.getName().contains("$HibernateProxy$");
	}

	private static boolean isOfJdk(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("javax.")
				|| type.getName().startsWith("sun.") || type.getName().startsWith("jdk.");
	}

	private static String size(int elements) {
		return (elements != 1) ? elements + " elements" : "1 element";
	}

	private static IllegalArgumentException tooMuch() {
		return new IllegalArgumentException(
				"What was observed has more than %,d values or nests more than %d deep. Observe less: what the job changes."
					.formatted(MOST_VALUES, DEEPEST));
	}

	/**
	 * Return the content of a map key or a set element as a string that can be sorted.
	 */
	private static String textOf(@Nullable Object value) {
		Map<String, @Nullable Object> parts = of(value).values;
		return (parts.size() == 1) ? String.valueOf(parts.get("")) : parts.toString();
	}

	/**
	 * Describe the differences from an earlier snapshot, one line for each value.
	 */
	String describeDifferences(Snapshot before) {
		Set<String> paths = new LinkedHashSet<>(before.values.keySet());
		paths.addAll(this.values.keySet());
		List<String> lines = paths.stream()
			.filter((path) -> !Objects.equals(before.get(path), get(path)))
			.map((path) -> "  %s: %s, then %s".formatted(path.isEmpty() ? "all" : path, before.show(path), show(path)))
			.toList();
		String shown = lines.stream().limit(MOST_DIFFERENCES).collect(Collectors.joining(System.lineSeparator()));
		int more = lines.size() - MOST_DIFFERENCES;
		return (more > 0) ? shown + System.lineSeparator() + "  and " + more + " more" : shown;
	}

	private @Nullable Object get(String path) {
		return this.values.containsKey(path) ? this.values.get(path) : Snapshot.class;
	}

	private String show(String path) {
		if (!this.values.containsKey(path)) {
			return "nothing";
		}
		String text = String.valueOf(this.values.get(path));
		return (text.length() > LONGEST_VALUE) ? text.substring(0, LONGEST_VALUE) + "…" : text;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Snapshot that && this.values.equals(that.values);
	}

	@Override
	public int hashCode() {
		return this.values.hashCode();
	}

}
