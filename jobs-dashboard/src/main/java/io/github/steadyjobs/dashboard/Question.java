package io.github.steadyjobs.dashboard;

import java.util.ArrayList;
import java.util.List;

/**
 * A form that asks for the parameters of an action and for confirmation.
 */
final class Question {

	private final String action;

	private final String key;

	private final Object[] arguments;

	private final List<Fact> facts = new ArrayList<>();

	private final List<Field> fields = new ArrayList<>();

	private String back = Address.HOME;

	private boolean danger;

	private String refusal = "";

	/**
	 * Create a question.
	 * @param action the name of the action
	 * @param key the first part of the keys of its texts, which end with {@code .title},
	 * {@code .text} and {@code .submit}
	 * @param arguments the arguments of the texts
	 */
	Question(String action, String key, Object... arguments) {
		this.action = action;
		this.key = key;
		this.arguments = arguments;
	}

	/** Add facts that describe the objects of the action. */
	Question facts(List<Fact> facts) {
		this.facts.addAll(facts);
		return this;
	}

	Question field(Field field) {
		this.fields.add(field);
		return this;
	}

	Question fields(List<Field> fields) {
		this.fields.addAll(fields);
		return this;
	}

	/** Set the address that a viewer who does not confirm goes back to. */
	Question backTo(String address) {
		this.back = address;
		return this;
	}

	/** Add a warning that the action cannot be undone. */
	Question cannotBeUndone() {
		this.danger = true;
		return this;
	}

	/** Ask again, with the values that were filled in, and say what is wrong. */
	Question refused(String why, Visit visit) {
		this.refusal = why;
		this.fields.replaceAll((field) -> {
			String value = visit.text(field.name(), Visit.LONGEST_AREA);
			return (value != null) ? field.value(value) : field;
		});
		return this;
	}

	String action() {
		return this.action;
	}

	String title() {
		return Words.of(this.key + ".title", this.arguments);
	}

	String text() {
		return Words.of(this.key + ".text", this.arguments);
	}

	String submit() {
		return Words.of(this.key + ".submit", this.arguments);
	}

	List<Fact> facts() {
		return this.facts;
	}

	List<Field> fields() {
		return this.fields;
	}

	/** Return whether the form has fields that are visible to the viewer. */
	boolean isFilledIn() {
		return this.fields.stream().anyMatch((field) -> field.kind() != Field.Kind.HIDDEN);
	}

	String back() {
		return this.back;
	}

	boolean isDanger() {
		return this.danger;
	}

	String refusal() {
		return this.refusal;
	}

	/** A fact about the objects of the action, such as a part of a filter. */
	record Fact(String label, String value) {

	}

}
