package io.github.steadyjobs.client;

import java.util.ArrayDeque;
import java.util.Deque;

import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * A transaction manager without a resource. It supports the transaction features of
 * Spring: synchronizations, suspension and savepoints.
 */
final class MemoryTransactionManager extends AbstractPlatformTransactionManager {

	private static final long serialVersionUID = 1L;

	private final transient ThreadLocal<Deque<Memory>> active = ThreadLocal.withInitial(ArrayDeque::new);

	MemoryTransactionManager() {
		setNestedTransactionAllowed(true);
	}

	@Override
	protected Object doGetTransaction() {
		Memory current = this.active.get().peek();
		return (current != null) ? current : new Memory();
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return this.active.get().contains(transaction);
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		this.active.get().push((Memory) transaction);
	}

	@Override
	protected Object doSuspend(Object transaction) {
		Deque<Memory> suspended = this.active.get();
		this.active.remove();
		return suspended;
	}

	@Override
	@SuppressWarnings("unchecked")
	protected void doResume(Object transaction, Object suspendedResources) {
		this.active.set((Deque<Memory>) suspendedResources);
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		((Memory) status.getTransaction()).outcome.run();
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
	}

	@Override
	protected void doSetRollbackOnly(DefaultTransactionStatus status) {
	}

	@Override
	protected void doCleanupAfterCompletion(Object transaction) {
		this.active.remove();
	}

	/**
	 * Make the commit of the active transaction fail.
	 */
	void failCommit(RuntimeException failure) {
		this.active.get().getFirst().outcome = () -> {
			throw failure;
		};
	}

	private static final class Memory implements SavepointManager {

		private Runnable outcome = () -> {
		};

		@Override
		public Object createSavepoint() {
			return new Object();
		}

		@Override
		public void rollbackToSavepoint(Object savepoint) {
		}

		@Override
		public void releaseSavepoint(Object savepoint) {
		}

	}

}
