package io.github.steadyjobs.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A data source that counts how many connections were requested from it.
 */
final class CountedDataSource extends AbstractDataSource {

	private final DataSource target;

	private final AtomicInteger asked = new AtomicInteger();

	CountedDataSource(DataSource target) {
		this.target = target;
	}

	int asked() {
		return this.asked.get();
	}

	@Override
	public Connection getConnection() throws SQLException {
		this.asked.incrementAndGet();
		return this.target.getConnection();
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		this.asked.incrementAndGet();
		return this.target.getConnection(username, password);
	}

}
