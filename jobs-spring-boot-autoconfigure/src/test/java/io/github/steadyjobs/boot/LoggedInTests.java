package io.github.steadyjobs.boot;

import java.util.List;

import io.github.steadyjobs.admin.JobsActor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the bean {@link JobsActor} and for {@link LoggedIn}.
 */
class LoggedInTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsAdminAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "spring.application.name=shop");

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void nameWhenNobodyHasLoggedInIsThatOfTheApplicationAndItsHost() {
		this.runner.run((context) -> assertThat(context.getBean(JobsActor.class).name()).matches("shop@.+"));
		this.runner.withPropertyValues("spring.application.name=")
			.run((context) -> assertThat(context.getBean(JobsActor.class).name()).isNotEmpty().doesNotContain("@"));
	}

	@Test
	void nameIsThatOfSpringSecurityOrElseOfTheRequest() {
		this.runner.run((context) -> {
			JobsActor actor = context.getBean(JobsActor.class);
			request("ann");
			assertThat(actor.name("eve")).isEqualTo("ann");
			SecurityContextHolder.getContext()
				.setAuthentication(new AnonymousAuthenticationToken("key", "anonymous", List.of(() -> "ROLE_NONE")));
			assertThat(actor.name("eve")).isEqualTo("ann");
			SecurityContextHolder.getContext()
				.setAuthentication(UsernamePasswordAuthenticationToken.unauthenticated("bob", "wrong"));
			assertThat(actor.name("eve")).isEqualTo("ann");
			SecurityContextHolder.getContext()
				.setAuthentication(UsernamePasswordAuthenticationToken.authenticated("bob", "", List.of()));
			assertThat(actor.name("eve")).isEqualTo("bob");
			assertThat(actor.as("cid", () -> actor.name())).isEqualTo("cid");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.security", "jakarta.servlet", "org.springframework.web" })
	void nameWhenALibraryIsMissingComesFromElsewhere(String missing) {
		this.runner.withClassLoader(new FilteredClassLoader(missing)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(JobsActor.class).name()).startsWith("shop@");
			assertThat(context.getBeanProvider(LoggedIn.class)).hasSize(1);
		});
	}

	private static void request(String user) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setUserPrincipal(() -> user);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
	}

}
