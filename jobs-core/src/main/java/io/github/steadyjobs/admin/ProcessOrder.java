package io.github.steadyjobs.admin;

/**
 * The result of telling a process to do something.
 *
 * @param process the name of the process
 * @param result whether the process will hear of it
 * @param number the number of the order, greater than that of any order before it; 0 if
 * it was not sent. The process has carried it out, or begun to, once its
 * {@link JobProcess#obeyed()} is not less
 */
public record ProcessOrder(String process, Result result, long number) {

	/**
	 * Whether a process will hear of an order.
	 */
	public enum Result {

		/** The process does it with its next heartbeat, if it lives until then. */
		SENT,

		/** There is no such process, or no more: it has ended or died. */
		NO_SUCH_PROCESS

	}

}
