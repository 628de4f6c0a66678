package io.github.steadyjobs.test.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with a database, as the contract is meant for.
 */
@SpringBootApplication
public class BankApplication {

}
