package io.github.steadyjobs.admin;

/**
 * The result of sending an order to a process.
 *
 * @param process the name of the process
 * @param result whether the process will receive it
 * @param number the number of the order, greater than that of any order before it; 0 if
 * it was not sent. The process has carried it out or begun to carry it out once its
 * {@link JobProcess#obeyed()} is at least this number
 */
public record ProcessOrder(String process, Result result, long number) {

	/** Whether a process will receive an order. */
	public enum Result {

		/**
		 * The process carries the order out at its next heartbeat, if it lives until
		 * then.
		 */
		SENT,

		/** There is no such process, or the process has ended or died. */
		NO_SUCH_PROCESS

	}

}
