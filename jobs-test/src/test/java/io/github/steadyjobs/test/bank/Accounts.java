package io.github.steadyjobs.test.bank;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Accounts and their booked payments, in a real database.
 */
@Repository
public class Accounts {

	private final JdbcClient database;

	Accounts(JdbcClient database) {
		this.database = database;
		database.sql("create table account (owner varchar primary key, cents bigint not null)").update();
		database.sql("create table booking (payment uuid primary key)").update();
	}

	/**
	 * Open an account with a balance of zero.
	 */
	public void open(String owner) {
		this.database.sql("insert into account values (?, 0)").params(owner).update();
	}

	void credit(String owner, long cents) {
		this.database.sql("update account set cents = cents + ? where owner = ?").params(cents, owner).update();
	}

	/**
	 * Record that a payment was booked.
	 * @return whether this is the first time
	 */
	boolean book(UUID payment) {
		return this.database
			.sql("insert into booking select ? where not exists (select 1 from booking where payment = ?)")
			.params(payment, payment)
			.update() == 1;
	}

	/**
	 * Return all accounts.
	 */
	public List<Account> findAll() {
		return this.database.sql("select owner, cents from account order by owner").query(Account.class).list();
	}

	/**
	 * An account.
	 */
	public record Account(String owner, long cents) {

	}

}
