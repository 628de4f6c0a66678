package io.github.steadyjobs.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.boot.JobsEndpoint.Subjects;
import io.github.steadyjobs.doctor.Doctor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdvice;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link JobsEndpoint}.
 */
@AutoConfiguration(after = { JobsAdminAutoConfiguration.class, JobsDoctorAutoConfiguration.class,
		JobsHistoryAutoConfiguration.class })
@ConditionalOnClass({ JobAdmin.class, Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean({ JobAdmin.class, JobClient.class, JobLocks.class, JobHistory.class, JobProcesses.class,
		JobPauses.class, JobAudit.class, JobActivity.class, JobView.class, JobsActor.class })
@ConditionalOnAvailableEndpoint(JobsEndpoint.class)
@EnableConfigurationProperties(JobsEndpointProperties.class)
public final class JobsEndpointAutoConfiguration {

	@Bean
	Subjects steadyJobsSubjects(JobAdmin admin, JobLocks locks, JobPauses jobPauses, JobHistory history,
			JobProcesses processes, JobActivity activity, JobAudit audit, ObjectProvider<Doctor> doctor, JobView view) {
		PauseSubject pauses = new PauseSubject(jobPauses);
		QueueSubject queues = new QueueSubject(admin, pauses);
		CheckSubject checks = new CheckSubject(doctor.getIfAvailable(), audit, queues);
		Map<String, EndpointSubject> subjects = new HashMap<>();
		subjects.put("queues", queues);
		subjects.put("pauses", pauses);
		subjects.put("locks", new LockSubject(locks, queues));
		subjects.put("history", new HistorySubject(history));
		subjects.put("processes", new ProcessSubject(processes));
		subjects.put("job", new JobSubject(admin, locks, view));
		subjects.put("activity", new ActivitySubject(activity, view));
		subjects.put("doctor", checks.doctor());
		subjects.put("audit", checks.audit());
		for (JobPlace place : JobPlace.values()) {
			subjects.put(OperationArguments.text(place), new PlaceSubject(place, admin, queues, view));
		}
		return new Subjects(subjects);
	}

	@Bean
	JobsEndpoint jobsEndpoint(JobAdmin admin, JobHistory history, JobProcesses processes, JobPauses pauses,
			List<Subjects> subjects, JobsEndpointProperties properties, JobsActor actor) {
		return new JobsEndpoint(new OverviewSubject(admin, new HistorySubject(history), processes, pauses), subjects,
				properties.showValues(), actor);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	JobsEndpointWebExtension jobsEndpointWebExtension(JobsEndpoint endpoint, JobsEndpointProperties properties) {
		return new JobsEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
	}

	/**
	 * Beans for servlet applications only.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(RequestBodyAdvice.class)
	static class Servlet {

		@Bean
		ArgumentsAdvice steadyJobsArgumentsAdvice() {
			return new ArgumentsAdvice();
		}

	}

}
