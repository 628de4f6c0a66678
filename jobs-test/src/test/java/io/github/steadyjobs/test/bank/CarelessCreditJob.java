package io.github.steadyjobs.test.bank;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * A job that claims to be idempotent but is not: a second run credits the payment twice.
 */
@Component
@Job
@Idempotent
public class CarelessCreditJob {

	private final Accounts accounts;

	CarelessCreditJob(Accounts accounts) {
		this.accounts = accounts;
	}

	/**
	 * Credit a payment.
	 */
	@Transactional
	public void perform(Payment payment) {
		this.accounts.credit(payment.owner(), payment.cents());
	}

}
