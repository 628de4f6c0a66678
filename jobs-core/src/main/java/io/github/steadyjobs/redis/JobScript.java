package io.github.steadyjobs.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * A Lua script that reads or changes data in Redis. The file of a script is in the
 * package of the store that calls the script, or else in this package, and states keys,
 * arguments and answers. Scripts share code by including other files. Thread safe.
 */
public final class JobScript {

	/** Reads payloads. */
	public static final JobScript READ = of(JobScript.class, "read");

	/** Cancels a job. */
	public static final JobScript CANCEL = of(JobScript.class, "cancel");

	static final JobScript SAMPLE = of(JobScript.class, "sample");

	static final JobScript UNPARK = of(JobScript.class, "unpark");

	static final JobScript MOVE_OUT = of(JobScript.class, "move-out");

	static final JobScript MOVE_IN = of(JobScript.class, "move-in");

	static final JobScript MOVE_END = of(JobScript.class, "move-end");

	static final JobScript REPORT = of(JobScript.class, "report");

	static final JobScript INSTRUCT = of(JobScript.class, "instruct");

	static final JobScript DECLARE = of(JobScript.class, "declare");

	private final String file;

	// The source is read on the first call of this script, so that the first job does not
	// wait until other scripts are read.
	private final SingletonSupplier<Source> source;

	private JobScript(Class<?> store, String file) {
		this.file = file;
		this.source = SingletonSupplier.of(() -> Source.read(store, file));
	}

	/**
	 * Create the script of a store.
	 * @param store the class that calls the script, in the same package as the file
	 * @param file the name of the file, without its extension
	 */
	public static JobScript of(Class<?> store, String file) {
		return new JobScript(store, file);
	}

	/** Return the names of the keys, in the order in which the script takes them. */
	public List<String> keys() {
		return this.source.obtain().keys();
	}

	@Override
	public String toString() {
		return this.file;
	}

	byte[] source() {
		return this.source.obtain().text();
	}

	byte[] digest() {
		return this.source.obtain().digest();
	}

	/**
	 * Return the SHA-1 digest of some bytes in the form that Redis uses.
	 * @param text the bytes to digest
	 * @return the digest in hex, as ASCII
	 */
	public static byte[] sha1(byte[] text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(digest.digest(text)).getBytes(StandardCharsets.US_ASCII);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-1, which Redis uses to name scripts, is missing", ex);
		}
	}

	/**
	 * A script as sent to Redis. The first line of the script's file, and of each file
	 * that it includes, names the keys that the code of the file uses. The script
	 * receives each key once, as a local variable of that name.
	 *
	 * @param keys the names of the keys, in the order in which the script takes them
	 */
	record Source(List<String> keys, byte[] text, byte[] digest) {

		private static final String KEYS = "-- keys:";

		private static final String INCLUDE = "--#include ";

		/**
		 * Read a script and all files that it includes: files in the same package, and
		 * files that the scripts of all stores share.
		 * @param store a class in the package of the file
		 * @param name the name of the file, without its extension
		 */
		static Source read(Class<?> store, String name) {
			Set<String> keys = new LinkedHashSet<>();
			String code = read(store, name, keys, new HashSet<>());
			// The variables replace the first line, so that line numbers in errors from
			// Redis match the file, up to its first include.
			String variables = "local " + String.join(", ", keys) + " = unpack(KEYS)\n";
			byte[] text = (variables + code).getBytes(StandardCharsets.UTF_8);
			return new Source(List.copyOf(keys), text, sha1(text));
		}

		/**
		 * Read a file and the files that it includes.
		 * @param included the files that have already been included and must not be
		 * included again; a file that is included inside a block counts as included only
		 * until the end of that block
		 */
		private static String read(Class<?> store, String name, Set<String> keys, Set<String> included) {
			String[] lines = text(store, name).split("\n");
			Assert.state(lines[0].startsWith(KEYS),
					() -> "The first line of %s.lua does not name its keys".formatted(name));
			keys.addAll(List.of(StringUtils.tokenizeToStringArray(lines[0].substring(KEYS.length()), " ")));
			StringBuilder code = new StringBuilder();
			for (int i = 1; i < lines.length; i++) {
				String line = lines[i].stripLeading();
				if (!line.startsWith(INCLUDE)) {
					code.append(lines[i]).append('\n');
					continue;
				}
				String include = line.substring(INCLUDE.length());
				Set<String> known = line.equals(lines[i]) ? included : new HashSet<>(included);
				if (known.add(include)) {
					code.append(read(store, include, keys, known));
				}
			}
			return code.toString();
		}

		private static String text(Class<?> store, String name) {
			Resource own = new ClassPathResource(name + ".lua", store);
			Resource file = own.exists() ? own : new ClassPathResource(name + ".lua", JobScript.class);
			try {
				return file.getContentAsString(StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
