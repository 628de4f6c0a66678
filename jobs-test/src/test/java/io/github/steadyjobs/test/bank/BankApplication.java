package io.github.steadyjobs.test.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with a database, the kind that the contract is meant for.
 */
@SpringBootApplication
public class BankApplication {

}
