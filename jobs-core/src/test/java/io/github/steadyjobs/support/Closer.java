package io.github.steadyjobs.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

import org.springframework.util.ReflectionUtils;

/**
 * Closes resources in reverse order. It closes all of them even if some fail to close. A
 * class that starts several servers registers each as it starts.
 */
final class Closer implements AutoCloseable {

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	/**
	 * Open something that consists of several parts. If a later part fails to open, the
	 * earlier parts are closed. Otherwise, they would outlive the test.
	 * @param opening opens and registers the parts
	 * @return the opened object
	 */
	static <T> T open(Function<Closer, T> opening) {
		Closer closer = new Closer();
		try {
			return opening.apply(closer);
		}
		catch (Throwable ex) {
			try {
				closer.close();
			}
			catch (Throwable second) {
				ex.addSuppressed(second);
			}
			throw ex;
		}
	}

	<T extends AutoCloseable> T register(T part) {
		this.opened.push(part);
		return part;
	}

	@Override
	public void close() {
		Throwable failure = null;
		while (!this.opened.isEmpty()) {
			try {
				this.opened.pop().close();
			}
			catch (Throwable ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure != null) {
			ReflectionUtils.rethrowRuntimeException(failure);
		}
	}

}
