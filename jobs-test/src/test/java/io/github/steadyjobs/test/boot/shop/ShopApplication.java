package io.github.steadyjobs.test.boot.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with a database and jobs of all kinds.
 */
@SpringBootApplication
public class ShopApplication {

}
