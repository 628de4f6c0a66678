package io.github.steadyjobs.dashboard;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A field of a form.
 *
 * @param kind the kind of form element
 * @param name the name of the parameter
 * @param label the label, empty for a hidden field
 * @param value the initial value
 * @param required whether the field must be filled in
 * @param choices the values to choose from; for a line of text, suggestions
 */
record Field(Kind kind, String name, String label, String value, boolean required, List<Choice> choices) {

	static Field hidden(String name, Object value) {
		return new Field(Kind.HIDDEN, name, "", String.valueOf(value), false, List.of());
	}

	/** Return a field for a line of text, which must not be empty. */
	static Field text(String name, String label) {
		return new Field(Kind.TEXT, name, label, "", true, List.of());
	}

	/** Return a field for a text of several lines, which must not be empty. */
	static Field area(String name, String label) {
		return new Field(Kind.AREA, name, label, "", true, List.of());
	}

	/** Return a field for a time, which must not be empty. */
	static Field time(String name, String label) {
		return new Field(Kind.TIME, name, label, "", true, List.of());
	}

	static Field choice(String name, String label, List<Choice> choices) {
		return new Field(Kind.CHOICE, name, label, "", true, choices);
	}

	Field value(@Nullable String value) {
		return new Field(this.kind, this.name, this.label, (value != null) ? value : "", this.required, this.choices);
	}

	/** Return a copy of this field that may be left empty. */
	Field optional() {
		return new Field(this.kind, this.name, this.label, this.value, false, this.choices);
	}

	/** Return a copy of this field that proposes texts. */
	Field proposing(List<String> texts) {
		return new Field(this.kind, this.name, this.label, this.value, this.required,
				texts.stream().map((text) -> new Choice(text, text)).toList());
	}

	String css() {
		return Visit.text(this.kind);
	}

	boolean isChosen(Choice choice) {
		return choice.value().equals(this.value);
	}

	/** Return the id of the list of suggestions, {@code null} if there are none. */
	@Nullable String proposals() {
		return (this.kind == Kind.TEXT && !this.choices.isEmpty()) ? "proposals-" + this.name : null;
	}

	/** A value to choose or a proposal, with the label that is shown. */
	record Choice(String value, String label) {

	}

	/** The kind of form element. */
	enum Kind {

		HIDDEN, TEXT, AREA, TIME, CHOICE

	}

}
