package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.dashboard.DashboardProperties.Port;
import io.github.steadyjobs.dashboard.DashboardProperties.Roles;
import io.github.steadyjobs.dashboard.DashboardProperties.ShowValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link Access}.
 */
class AccessTests {

	private boolean open;

	private boolean readOnly;

	private ShowValues showValues = ShowValues.WHEN_AUTHORIZED;

	@ParameterizedTest
	@CsvSource({ "'', NONE, false", "OTHER, NONE, false", "V, VIEW, false", "O, OPERATE, true", "A, ADMINISTER, true",
			"O2, OPERATE, true" })
	void viewerWithSpringSecurityHasTheRoleOfTheirUser(String role, Role expected, boolean seesValues) {
		Viewer viewer = access(true).viewer(local(role));
		assertThat(viewer.role()).isEqualTo(expected);
		assertThat(viewer.seesValues()).isEqualTo(seesValues);
	}

	@Test
	void viewerWithSpringSecurityIsNotTrustedForTheirMachine() {
		this.open = true;
		assertThat(access(true).viewer(local("")).role()).isEqualTo(Role.NONE);
	}

	@Test
	void viewerWithoutSpringSecurityMayDoEverythingOnThisMachine() {
		Viewer viewer = access(false).viewer(local(""));
		assertThat(viewer.role()).isEqualTo(Role.ADMINISTER);
		assertThat(viewer.seesValues()).isTrue();
		assertThat(viewer.name()).isEqualTo("shop@host");
	}

	@Test
	void viewerWithoutSpringSecurityMayDoNothingFromElsewhere() {
		Viewer viewer = access(false).viewer(remote());
		assertThat(viewer.role()).isEqualTo(Role.NONE);
		assertThat(viewer.seesValues()).isFalse();
	}

	@Test
	void viewerFromElsewhereMayDoEverythingOnAnOpenDashboardButSeesNoValues() {
		this.open = true;
		Viewer viewer = access(false).viewer(remote());
		assertThat(viewer.role()).isEqualTo(Role.ADMINISTER);
		assertThat(viewer.seesValues()).isFalse();
	}

	@Test
	void viewerOfAReadOnlyDashboardMayOnlyLookAndSeesWhatTheyMay() {
		this.readOnly = true;
		assertThat(access(false).viewer(local(""))).isEqualTo(new Viewer(Role.VIEW, true, "shop@host"));
		assertThat(access(false).viewer(remote()).role()).isEqualTo(Role.NONE);
		assertThat(access(true).viewer(local("O")).seesValues()).isTrue();
	}

	@Test
	void viewerHasTheNameOfTheirLogin() {
		MockHttpServletRequest request = local("");
		request.setUserPrincipal(() -> "ada");
		assertThat(access(true).viewer(request).name()).isEqualTo("ada");
	}

	@Test
	void viewerSeesValuesAsSet() {
		this.showValues = ShowValues.NEVER;
		assertThat(access(true).viewer(local("A")).seesValues()).isFalse();
		this.showValues = ShowValues.ALWAYS;
		assertThat(access(true).viewer(local("V")).seesValues()).isTrue();
	}

	@Test
	void viewerHasTheNameOfTheirUser() {
		MockHttpServletRequest request = local("V");
		request.setUserPrincipal(() -> "ada");
		assertThat(access(true).viewer(request).name()).isEqualTo("ada");
	}

	@ParameterizedTest
	@EnumSource
	void checkLetsThroughWhoMay(Role role) {
		for (Role needed : Role.values()) {
			Viewer viewer = new Viewer(role, false, "ada");
			if (role == Role.NONE || needed.compareTo(role) > 0) {
				assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> access(true).check(viewer, needed))
					.matches((ex) -> ex.status() == 403);
			}
			else {
				assertThatNoException().isThrownBy(() -> access(true).check(viewer, needed));
			}
		}
	}

	@Test
	void checkSaysWhatToSet() {
		Viewer nobody = new Viewer(Role.NONE, false, "eve");
		Viewer viewer = new Viewer(Role.VIEW, false, "bob");
		assertThat(refusal(access(false), nobody)).contains("steadyjobs.dashboard.open=true", "Spring Security");
		assertThat(refusal(access(true), nobody)).contains("One of V may look, O, O2 may",
				"steadyjobs.dashboard.roles");
		assertThat(refusal(access(true), viewer)).contains("needs the role A");
		this.readOnly = true;
		assertThat(refusal(access(true), viewer)).contains("steadyjobs.dashboard.read-only");
	}

	private static String refusal(Access access, Viewer viewer) {
		try {
			access.check(viewer, Role.ADMINISTER);
			return "";
		}
		catch (RefusedException ex) {
			return ex.text();
		}
	}

	private Access access(boolean secured) {
		// Sort the roles, so that the texts are always the same.
		Set<String> operate = new TreeSet<>(Set.of("O", "O2"));
		return new Access(
				new DashboardProperties(true, "/jobs", Port.APPLICATION, null, this.open, this.readOnly,
						this.showValues, new Roles(Set.of("V"), operate, Set.of("A")), Duration.ofMinutes(1)),
				new JobsActor(() -> null, () -> "shop@host"), secured);
	}

	private static MockHttpServletRequest local(String role) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.addHeader("Host", "localhost");
		if (!role.isEmpty()) {
			request.addUserRole(role);
		}
		return request;
	}

	private static MockHttpServletRequest remote() {
		MockHttpServletRequest request = local("");
		request.setRemoteAddr("10.0.0.1");
		return request;
	}

}
