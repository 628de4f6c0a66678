package io.github.steadyjobs.test.bank;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The corrected version of {@link CarelessCreditJob}: it books a payment and credits it
 * once, in one transaction.
 */
@Component
@Job
@Idempotent
public class CreditJob {

	private final Accounts accounts;

	CreditJob(Accounts accounts) {
		this.accounts = accounts;
	}

	/**
	 * Credit a payment.
	 */
	@Transactional
	public void perform(Payment payment) {
		if (this.accounts.book(payment.id())) {
			this.accounts.credit(payment.owner(), payment.cents());
		}
	}

}
