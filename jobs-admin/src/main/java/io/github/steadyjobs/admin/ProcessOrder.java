package io.github.steadyjobs.admin;

/**
 * The result of sending an order to a process.
 *
 * @param process the name of the process
 * @param result whether the process will receive the order
 * @param number the number of the order, greater than the number of any earlier order; 0
 * if the order was not sent. The process has carried out the order, or begun to do so, as
 * soon as {@link JobProcess#obeyed()} is at least this number
 */
public record ProcessOrder(String process, Result result, long number) {

	/** Whether a process will receive an order. */
	public enum Result {

		/**
		 * The process will carry out the order at its next heartbeat, if it is still
		 * alive then.
		 */
		SENT,

		/** There is no such process, or the process has ended or died. */
		NO_SUCH_PROCESS

	}

}
