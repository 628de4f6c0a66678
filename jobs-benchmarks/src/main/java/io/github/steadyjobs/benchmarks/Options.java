package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.convert.DurationStyle;

/**
 * The options of a command, written as {@code --name value}.
 */
public final class Options {

	private final Map<String, String> values = new HashMap<>();

	/**
	 * Read options.
	 * @param args names, each followed by its value
	 * @param known the names that the command accepts
	 * @throws IllegalArgumentException if a name is not known or has no value
	 */
	public Options(String[] args, Set<String> known) {
		for (int i = 0; i < args.length; i += 2) {
			String name = args[i].startsWith("--") ? args[i].substring(2) : "";
			if (!known.contains(name) || i + 1 == args.length) {
				throw new IllegalArgumentException("'%s' is not an option, or has no value. There are: --%s"
					.formatted(args[i], String.join(", --", known)));
			}
			this.values.put(name, args[i + 1]);
		}
	}

	/**
	 * Return an option.
	 * @param name the name of the option, as in {@code known}
	 * @param byDefault the value if the option is not given
	 * @return the value of the option
	 */
	public String text(String name, String byDefault) {
		return this.values.getOrDefault(name, byDefault);
	}

	/**
	 * Return an option that is a number.
	 * @param name the name of the option, as in {@code known}
	 * @param byDefault the value if the option is not given
	 * @return the value of the option, 1 or more
	 * @throws IllegalArgumentException if the value is not a number, or is less than 1
	 */
	public int number(String name, int byDefault) {
		String value = this.values.get(name);
		try {
			int number = (value != null) ? Integer.parseInt(value) : byDefault;
			if (number > 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// The exception is thrown below.
		}
		throw new IllegalArgumentException("--%s has to be a positive number, not '%s'".formatted(name, value));
	}

	/**
	 * Return an option that is a duration.
	 * @param name the name of the option, as in {@code known}
	 * @param byDefault the value if the option is not given
	 * @return the value of the option
	 * @throws IllegalArgumentException if the value is not a duration
	 */
	public Duration duration(String name, Duration byDefault) {
		String value = this.values.get(name);
		return (value != null) ? DurationStyle.detectAndParse(value) : byDefault;
	}

}
