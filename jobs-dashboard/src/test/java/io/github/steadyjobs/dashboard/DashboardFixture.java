package io.github.steadyjobs.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.boot.JobsAdminAutoConfiguration;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsDoctorAutoConfiguration;
import io.github.steadyjobs.boot.JobsHistoryAutoConfiguration;
import io.github.steadyjobs.boot.JobsRecurringAutoConfiguration;
import io.github.steadyjobs.boot.JobsWorkerAutoConfiguration;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.TestRedis;
import org.jsoup.nodes.Element;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockServletContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the dashboard, but without a web server: tests call the servlet.
 */
final class DashboardFixture implements AutoCloseable {

	private final AnnotationConfigServletWebApplicationContext context = new AnnotationConfigServletWebApplicationContext();

	private DashboardFixture(String... properties) {
		this.context.setServletContext(new MockServletContext());
		this.context.register(Application.class, ShopJobs.class);
		TestPropertyValues.of("steadyjobs.dashboard.enabled=true").and(properties).applyTo(this.context);
		this.context.refresh();
	}

	/** Start an application whose workers do not run. */
	static DashboardFixture start(TestRedis redis, String... properties) {
		return startAt(redis.url(), redis.prefix(), properties);
	}

	/** Start an application whose workers do not run, with the Redis at an address. */
	static DashboardFixture startAt(String url, String prefix, String... properties) {
		String[] all = new String[properties.length + 3];
		System.arraycopy(properties, 0, all, 3, properties.length);
		all[0] = "spring.data.redis.url=" + url;
		all[1] = "steadyjobs.prefix=" + prefix;
		all[2] = "steadyjobs.worker.auto-startup=false";
		return new DashboardFixture(all);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	JobClient client() {
		return bean(JobClient.class);
	}

	/** Return a request for a page, as if from a browser on this machine. */
	PageRequest get(String address) {
		return new PageRequest(bean(Dashboard.class).servlet(), "GET", address);
	}

	/** Return a request for an action, as if sent by a page of the dashboard. */
	PageRequest post(String address) {
		return new PageRequest(bean(Dashboard.class).servlet(), "POST", address).header("Sec-Fetch-Site",
				"same-origin");
	}

	/**
	 * Submit the form of a page.
	 * @param fields names of fields that are filled in, each followed by its value
	 */
	Answer submit(Answer page, String... fields) {
		Element form = page.page().selectFirst("form[method=post]");
		assertThat(form).as(page.text("main")).isNotNull();
		Map<String, String> values = new LinkedHashMap<>();
		form.select("[name]").forEach((field) -> values.put(field.attr("name"), valueOf(field)));
		for (int i = 0; i < fields.length; i += 2) {
			assertThat(values).containsKey(fields[i]);
			values.put(fields[i], fields[i + 1]);
		}
		PageRequest request = post(form.attr("action"));
		values.forEach(request::parameter);
		return request.send();
	}

	private static String valueOf(Element field) {
		Element chosen = field.selectFirst("option[selected], option");
		return (chosen != null) ? chosen.attr("value") : field.val();
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
			JobsWorkerAutoConfiguration.class, JobsAdminAutoConfiguration.class, JobsDoctorAutoConfiguration.class,
			JobsHistoryAutoConfiguration.class, JobsRecurringAutoConfiguration.class,
			JobsDashboardAutoConfiguration.class })
	static class Application {

		@Bean
		MailJobs mailJobs() {
			return new MailJobs();
		}

	}

	@NotIdempotent("a test")
	static class MailJobs {

		@Job(queue = "mail")
		void send(String to) {
		}

		@Job(queue = "mail", retries = 0)
		void fail(String secret) {
			throw new IllegalStateException("The password is " + secret);
		}

	}

}
