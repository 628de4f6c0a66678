package io.github.steadyjobs.postgres;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Returns connections to the server that was chosen for the run on the current thread; on
 * other threads, it returns connections to the primary. Unwrapping this data source gives
 * the primary.
 */
final class RunDataSource extends DelegatingDataSource {

	private final DataSource primary;

	private final ThreadLocal<@Nullable DataSource> chosen = new ThreadLocal<>();

	RunDataSource(DataSource primary) {
		super(primary);
		this.primary = primary;
	}

	void choose(DataSource dataSource) {
		this.chosen.set(dataSource);
	}

	void clear() {
		this.chosen.remove();
	}

	@Override
	protected DataSource obtainTargetDataSource() {
		DataSource chosen = this.chosen.get();
		return (chosen != null) ? chosen : this.primary;
	}

}
