package io.github.steadyjobs.test.boot.guide;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application of {@code docs/testing.md}.
 */
@SpringBootApplication
class GuideApplication {

}
