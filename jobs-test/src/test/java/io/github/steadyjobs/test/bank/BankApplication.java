package io.github.steadyjobs.test.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with a database, whose jobs are tested with {@code
 * IdempotentJobContract}.
 */
@SpringBootApplication
public class BankApplication {

}
