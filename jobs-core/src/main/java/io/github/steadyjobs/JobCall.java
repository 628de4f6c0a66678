package io.github.steadyjobs;

/**
 * One call of a {@link Job} method, written as a lambda and checked by the compiler. The
 * call is recorded, not executed.
 *
 * @param <T> the class or interface that has the job's method
 */
@FunctionalInterface
public interface JobCall<T> {

	/**
	 * Call exactly one {@link Job} method. If that method takes a {@link JobContext},
	 * pass {@link JobContext#none()}.
	 * @param job an object that records the call
	 * @throws Exception never from the recorder; declared so that methods with checked
	 * exceptions can be called
	 */
	void call(T job) throws Exception;

}
