package io.github.steadyjobs.guide.testing;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application of {@code docs/testing.md}.
 */
@SpringBootApplication
class GuideApplication {

}
