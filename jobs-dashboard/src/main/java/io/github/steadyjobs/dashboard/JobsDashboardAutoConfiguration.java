package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.dashboard.DashboardProperties.Port;
import io.github.steadyjobs.dashboard.ProcessAction.Order;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.recurring.RecurringJobs;
import jakarta.servlet.Servlet;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the dashboard of background
 * jobs.
 */
@AutoConfiguration(
		afterName = { "io.github.steadyjobs.boot.JobsAdminAutoConfiguration",
				"io.github.steadyjobs.boot.JobsDoctorAutoConfiguration",
				"io.github.steadyjobs.boot.JobsHistoryAutoConfiguration",
				"io.github.steadyjobs.boot.JobsRecurringAutoConfiguration" },
		beforeName = "org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration")
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(Servlet.class)
@ConditionalOnBean({ JobClient.class, JobAdmin.class, JobActivity.class, JobsActor.class, JobAudit.class,
		JobHistory.class, JobLocks.class, JobPauses.class, JobProcesses.class, JobView.class, OrderedJobs.class })
@ConditionalOnBooleanProperty("steadyjobs.dashboard.enabled")
@EnableConfigurationProperties(DashboardProperties.class)
@ImportRuntimeHints(DashboardHints.class)
public final class JobsDashboardAutoConfiguration {

	/** The bean of Spring Security that filters requests, if there is such a bean. */
	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	private static final String ACTUATOR = "org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration";

	/** The number of missed heartbeats after which a process counts as silent. */
	private static final int MISSED_BEATS = 4;

	@Bean
	Dashboard steadyJobsDashboard(DashboardProperties properties, List<Pages> pages, Samples samples,
			ObjectProvider<FormTokens> tokens, JobsActor actor, Environment environment, BeanFactory beanFactory) {
		checkPort(properties);
		List<Page> all = pages.stream().flatMap((some) -> some.pages().stream()).toList();
		Access access = new Access(properties, actor, beanFactory.containsBean(SECURITY_FILTER));
		Site site = new Site(title(properties, environment), Area.of(all), new Assets());
		DashboardServlet servlet = new DashboardServlet(all, access, site, tokens.getIfAvailable(() -> FormTokens.NONE),
				samples);
		return new Dashboard(servlet, properties.checkedPath(), access);
	}

	private static void checkPort(DashboardProperties properties) {
		if (properties.port() == Port.MANAGEMENT && !ClassUtils.isPresent(ACTUATOR, null)) {
			throw new InvalidConfigurationPropertyValueException("steadyjobs.dashboard.port", "management",
					"There is no management port without Actuator. Add the dependency 'spring-boot-starter-actuator', or leave the dashboard on the port of the application.");
		}
	}

	private static String title(DashboardProperties properties, Environment environment) {
		return (properties.title() != null) ? properties.title()
				: environment.getProperty("spring.application.name", Words.of("site.title"));
	}

	@Bean(DashboardRegistration.BEAN_NAME)
	@ConditionalOnProperty(name = "steadyjobs.dashboard.port", havingValue = "application", matchIfMissing = true)
	DashboardRegistration steadyJobsDashboardRegistration(Dashboard dashboard) {
		return new DashboardRegistration(dashboard);
	}

	@Bean
	Limits steadyJobsDashboardLimits(DashboardProperties properties, Environment environment) {
		Binder binder = Binder.get(environment);
		return new Limits(properties.lateAfter(),
				binder.bind("steadyjobs.runs.stuck-after", Duration.class).orElse(Duration.ofHours(1)),
				binder.bind("steadyjobs.liveness.beat", Duration.class)
					.orElse(Duration.ofSeconds(5))
					.multipliedBy(MISSED_BEATS));
	}

	@Bean
	Samples steadyJobsDashboardSamples(JobAdmin admin, JobProcesses processes, JobPauses pauses, JobHistory history,
			ObjectProvider<Doctor> doctor) {
		return new Samples(admin, processes, pauses, history, doctor.getIfAvailable());
	}

	@Bean
	Pages steadyJobsDashboardQueuePages(Samples samples, Limits limits, JobAdmin admin, JobPauses pauses,
			JobView view) {
		return Pages.of(new OverviewPage(samples, limits), new QueuesPage(samples, limits),
				new QueuePage(samples, limits, admin, view), new PurgeAction(samples, admin), new PausesPage(samples),
				new PauseAction(pauses), new ResumeAction(pauses));
	}

	@Bean
	Pages steadyJobsDashboardJobPages(Samples samples, JobAdmin admin, JobLocks locks, JobView view,
			JobActivity activity) {
		return Pages.of(new ListPage(samples, admin, view), new OneJobPage(admin, locks, view),
				new EditAction(admin, view), new RescheduleAction(admin), new MoveAction(admin, samples),
				new CancelAction(admin), new ActivityLogPage(activity, view));
	}

	@Bean
	Pages steadyJobsDashboardChanges(Samples samples, JobAdmin admin) {
		return new Pages(Stream.of(JobAction.values())
			.<Page>flatMap(
					(action) -> Stream.of(new ChangeAction(admin, action), new BulkAction(samples, admin, action)))
			.toList());
	}

	@Bean
	Pages steadyJobsDashboardRunPages(Samples samples, Limits limits, JobHistory history) {
		return Pages.of(new RunningPage(samples, limits), new NamesPage(samples, history),
				new NamePage(samples, history));
	}

	@Bean
	Pages steadyJobsDashboardOrderPages(Samples samples, JobAdmin admin, OrderedJobs ordered, JobLocks locks,
			JobView view) {
		return Pages.of(new OrderedPage(admin, ordered, view), new ReviveAction(ordered), new LocksPage(samples, locks),
				new ReleaseAction(locks));
	}

	@Bean
	Pages steadyJobsDashboardAuditPages(Samples samples, JobAudit audit) {
		Audits audits = new Audits(audit);
		return Pages.of(new AuditPage(samples), new AuditReportPage(samples, audits),
				new RepairAction(samples, audits));
	}

	@Bean
	Pages steadyJobsDashboardProcessPages(Samples samples, Limits limits, JobProcesses processes) {
		return Pages.of(new ProcessesPage(samples, limits), new DumpPage(processes),
				new ProcessAction(processes, Order.QUIET), new ProcessAction(processes, Order.STOP),
				new ProcessAction(processes, Order.THREAD_DUMP));
	}

	@Bean
	@ConditionalOnBean(Doctor.class)
	Pages steadyJobsDashboardDoctorPage(Samples samples) {
		return Pages.of(new DoctorPage(samples));
	}

	/**
	 * Pages and actions for recurring jobs.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RecurringJobs.class)
	@ConditionalOnBean(RecurringJobs.class)
	static class WithRecurringJobs {

		@Bean
		Pages steadyJobsDashboardRecurringPages(Samples samples, RecurringJobs jobs) {
			List<Page> pages = new ArrayList<>(List.of(new RecurringPage(samples, jobs), new OneRecurringPage(jobs),
					new RecurringFormAction(jobs, true), new RecurringFormAction(jobs, false)));
			for (RecurringAction.Change change : RecurringAction.Change.values()) {
				pages.add(new RecurringAction(jobs, change));
			}
			return new Pages(pages);
		}

	}

	/**
	 * Adds the tokens of Spring Security to forms.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CsrfToken.class)
	static class WithSecurity {

		@Bean
		FormTokens steadyJobsDashboardFormTokens() {
			return FormTokens.ofSpringSecurity();
		}

	}

}
