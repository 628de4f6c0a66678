package io.github.steadyjobs.test.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with a database, which is the kind of application that the contract is
 * meant for.
 */
@SpringBootApplication
public class BankApplication {

}
