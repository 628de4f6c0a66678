package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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
