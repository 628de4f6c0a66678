package io.github.steadyjobs.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Queries the primary on the connection that the current thread already has, during a
 * transaction or right after the commit. Thread safe.
 */
final class CallerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(CallerTransaction.class);

	private final DataSource primary;

	CallerTransaction(DataSource primary) {
		this.primary = innermost(primary);
	}

	/**
	 * Return the current end of the log.
	 * @return the position; {@code null} if the thread has no connection to the primary,
	 * or if that connection does not answer
	 */
	@Nullable WalPosition position() {
		DataSource dataSource = bound();
		if (dataSource == null) {
			return null;
		}
		try {
			Connection connection = DataSourceUtils.doGetConnection(dataSource);
			try {
				return DatabaseServer.position(connection);
			}
			finally {
				DataSourceUtils.doReleaseConnection(connection, dataSource);
			}
		}
		catch (SQLException | RuntimeException ex) {
			// The query fails, for example, if the transaction has already failed.
			logger.debug("The transaction has no position to report", ex);
			return null;
		}
	}

	/**
	 * Find the data source under which the thread's connection is stored: the primary, or
	 * a wrapper that the application has put around it.
	 */
	private @Nullable DataSource bound() {
		for (Map.Entry<Object, Object> resource : TransactionSynchronizationManager.getResourceMap().entrySet()) {
			if (resource.getKey() instanceof DataSource dataSource && resource.getValue() instanceof ConnectionHolder
					&& innermost(dataSource) == this.primary) {
				return dataSource;
			}
		}
		return null;
	}

	private static DataSource innermost(DataSource dataSource) {
		DataSource inner = dataSource;
		while (inner instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			inner = delegating.getTargetDataSource();
		}
		return inner;
	}

}
