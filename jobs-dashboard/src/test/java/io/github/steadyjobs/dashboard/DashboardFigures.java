package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.dashboard.DashboardFixture.MailJobs;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.HashOperations;

/**
 * Measures the dashboard, and prints the figures as lines of JSON. It is not part of a
 * build, because times depend on the machine. To run it: {@code mvn -pl jobs-dashboard
 * -am test -Dtest=DashboardFigures -Dsurefire.failIfNoSpecifiedTests=false
 * -Dmaven.test.redirectTestOutputToFile=false}.
 */
class DashboardFigures {

	private static final int QUEUES = Integer.getInteger("figures.queues", 200);

	private static final int JOBS = Integer.getInteger("figures.jobs", 1_000_000);

	private static final int DEAD_JOBS = Integer.getInteger("figures.dead-jobs", 100_000);

	private static final int DEAD_QUEUES = 10;

	private static final String FAILURE = """
			,"retry_count":0,"failed_at":1767225600350,"error_class":"%1$s","error_message":"Connection refused",\
			"attempts":[{"at":1767225600350,"class":"%1$s","message":"Connection refused",\
			"process":"worker-1:4711:5d1b0f0a2f11.1","ran":12}]}""";

	private static final Duration DELAY = Duration.ofMillis(100);

	@Test
	void overviewOfManyQueuesAndJobs() {
		try (OwnRedis redis = OwnRedis.start();
				TcpRelay relay = TcpRelay.to(redis.redis());
				DashboardFixture dashboard = DashboardFixture.startAt(relay.url(), "figures",
						"steadyjobs.worker.enabled=false")) {
			fill(dashboard.client());
			PastRuns past = new PastRuns(redis.redis().connections(), "figures");
			for (int minute = 0; minute < 24 * 60; minute++) {
				past.add(Instant.now().minus(Duration.ofMinutes(minute)), 200, minute % 7);
			}
			Samples samples = dashboard.bean(Samples.class);
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("queues", QUEUES);
			figures.put("jobs", JOBS);
			for (String page : new String[] { "", "?period=day", "queues" }) {
				String name = page.isEmpty() ? "overview" : page.replaceAll("\\W", "");
				Answer answer = dashboard.get(page).send();
				figures.put(name + "_bytes", answer.response().getContentLength());
				figures.put(name + "_ms", millis(300, () -> dashboard.get(page).send()));
				figures.put(name + "_with_queues_sampled_ms", millis(100, () -> {
					samples.expire();
					dashboard.get(page).send();
				}));
			}
			figures.put("assets_bytes", assets(dashboard));
			relay.delay(DELAY);
			figures.put("round_trips", roundTrips(dashboard, samples));
			print(figures);
		}
	}

	private static void fill(JobClient client) {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < JOBS; i++) {
			requests.add(JobRequest.named("MailJobs.send", "a").queue("queue-%03d".formatted(i % QUEUES)));
			if (requests.size() == 50_000 || i == JOBS - 1) {
				client.enqueueAll(requests);
				requests.clear();
			}
		}
	}

	private static int assets(DashboardFixture dashboard) {
		return dashboard.get("")
			.send()
			.page()
			.select("link, script")
			.stream()
			.map((element) -> element.attr("href") + element.attr("src"))
			.mapToInt((address) -> dashboard.get(address).send().response().getContentLength())
			.sum();
	}

	/**
	 * Derive the number of round trips of the overview from its duration, because each
	 * round trip takes the delay of the relay. All, some or no samples are outdated.
	 */
	private static Map<String, Long> roundTrips(DashboardFixture dashboard, Samples samples) {
		Map<String, Long> trips = new LinkedHashMap<>();
		samples.expire();
		trips.put("with_samples_of_queues_and_state", late(() -> dashboard.get("").send()));
		Awaitility.await().pollDelay(Duration.ofMillis(1100)).until(() -> true);
		trips.put("beyond_samples_of_queues", late(() -> dashboard.get("").send()));
		trips.put("at_once_again", late(() -> dashboard.get("").send()));
		return trips;
	}

	private static long late(Runnable request) {
		long begin = System.nanoTime();
		request.run();
		return (System.nanoTime() - begin) / DELAY.toNanos();
	}

	@Test
	void pagesOfManyDeadJobs() {
		try (OwnRedis redis = OwnRedis.start();
				DashboardFixture dashboard = DashboardFixture.startAt(redis.url(), "figures",
						"steadyjobs.worker.enabled=false", "steadyjobs.dead.max=" + DEAD_JOBS)) {
			kill(dashboard, redis.redis(), DEAD_JOBS);
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("dead_jobs", DEAD_JOBS);
			figures.put("queues", DEAD_QUEUES);
			String first = "list?place=dead";
			String next = dashboard.get(first).send().link("a[rel=next]");
			String id = dashboard.get(first).send().page().selectFirst("#jobs tbody small").text();
			figures.put("page_ms", millis(200, () -> dashboard.get(first).send()));
			figures.put("next_page_ms", millis(200, () -> dashboard.get(next).send()));
			figures.put("job_ms", millis(200, () -> dashboard.get(OneJobPage.address(id)).send()));
			String tag = dashboard.get(first).live().send().header("ETag");
			figures.put("tick_at_rest_status",
					dashboard.get(first).live().header("If-None-Match", tag).send().status());
			figures.put("tick_at_rest_ms",
					millis(200, () -> dashboard.get(first).live().header("If-None-Match", tag).send()));
			for (String filter : new String[] { "error=java.net.*", "name=Nothing", "text=nothing" }) {
				figures.put("filter_" + filter.replaceFirst("=.*", "") + "_ms",
						millis(60, () -> dashboard.get(first + "&" + filter).send()));
			}
			figures.put("filter_examined",
					dashboard.bean(JobAdmin.class).page(JobQuery.of(JobPlace.DEAD).name("Nothing")).examined());
			print(figures);
		}
	}

	/** Create dead jobs in ten queues. One job in 100 has failed with a network error. */
	private static void kill(DashboardFixture dashboard, TestRedis redis, int jobs) {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < jobs; i++) {
			requests.add(JobRequest.named("MailJobs.send", "customer-" + i + "@example.com")
				.queue("queue-" + i % DEAD_QUEUES)
				.after(Duration.ofHours(1)));
		}
		dashboard.client().enqueueAll(requests);
		JobAdmin admin = dashboard.bean(JobAdmin.class);
		BulkChange step;
		do {
			step = admin.change(JobAction.KILL, JobQuery.of(JobPlace.SCHEDULED).size(JobQuery.MOST_AT_ONCE));
		}
		while (step.hasNext());
		HashOperations<String, String, String> hashes = redis.template().opsForHash();
		for (int i = 0; i < DEAD_QUEUES; i++) {
			String key = "figures:{queue-%d}:payloads".formatted(i);
			AtomicInteger job = new AtomicInteger();
			Map<String, String> payloads = hashes.entries(key);
			payloads.replaceAll((id, payload) -> payload.replaceFirst("}$", (job.getAndIncrement() % 100 == 0)
					? FAILURE.formatted("java.net.ConnectException") : FAILURE.formatted("java.io.IOException")));
			hashes.putAll(key, payloads);
		}
	}

	@Test
	void probeBesideImpatientViewers() throws Exception {
		try (OwnRedis redis = OwnRedis.start();
				ServedDashboard dashboard = ServedDashboard.run(WithProbe.class, "spring.data.redis.url=" + redis.url(),
						"steadyjobs.prefix=figures")) {
			dashboard.bean(Launcher.class).start();
			JobClient client = dashboard.bean(JobClient.class);
			for (int i = 0; i < 10_000; i++) {
				client.enqueue(JobRequest.named("MailJobs.send", "a").queue("queue-" + i % QUEUES));
			}
			String probe = dashboard.url("/probe");
			double[] alone = probe(dashboard, probe);
			Viewers viewers = Viewers.start(dashboard.url("/jobs/"));
			double[] beside = probe(dashboard, probe);
			Map<?, ?> answers = viewers.stop();
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("viewers", Viewers.COUNT);
			figures.put("answers", answers);
			figures.put("probe_alone_ms", percentiles(alone));
			figures.put("probe_beside_ms", percentiles(beside));
			print(figures);
		}
	}

	/** Request an address at short intervals, and return the sorted durations in ms. */
	private static double[] probe(ServedDashboard dashboard, String url) {
		double[] millis = new double[500];
		for (int i = 0; i < millis.length; i++) {
			millis[i] = times(1, () -> dashboard.get(url))[0];
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
		}
		Arrays.sort(millis);
		return millis;
	}

	@Test
	void startOfAnApplication() {
		try (OwnRedis redis = OwnRedis.start()) {
			List<Double> with = new ArrayList<>();
			List<Double> without = new ArrayList<>();
			for (int i = 0; i < 12; i++) {
				with.add(start(redis, "true"));
				without.add(start(redis, "false"));
			}
			print(Map.of("start_with_ms", median(with), "start_without_ms", median(without)));
		}
	}

	private static double start(OwnRedis redis, String enabled) {
		long begin = System.nanoTime();
		ServedDashboard
			.run(WithProbe.class, "spring.data.redis.url=" + redis.url(), "steadyjobs.dashboard.enabled=" + enabled)
			.close();
		return (System.nanoTime() - begin) / 1e6;
	}

	private static Map<String, Double> millis(int times, Runnable request) {
		for (int i = 0; i < times; i++) {
			request.run();
		}
		return percentiles(times(times, request));
	}

	private static double[] times(int times, Runnable request) {
		double[] millis = new double[times];
		for (int i = 0; i < times; i++) {
			long begin = System.nanoTime();
			request.run();
			millis[i] = (System.nanoTime() - begin) / 1e6;
		}
		Arrays.sort(millis);
		return millis;
	}

	private static Map<String, Double> percentiles(double[] sorted) {
		return Map.of("median", rounded(sorted[sorted.length / 2]), "p95", rounded(sorted[sorted.length * 95 / 100]),
				"max", rounded(sorted[sorted.length - 1]));
	}

	private static double median(List<Double> values) {
		Collections.sort(values);
		return rounded(values.get(values.size() / 2));
	}

	private static double rounded(double value) {
		return Math.round(value * 10) / 10.0;
	}

	private static void print(Map<String, ?> figures) {
		System.out.println(JsonMapper.shared().writeValueAsString(figures));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ServedDashboardIntegrationTests.Application.class)
	static class WithProbe {

		@Bean
		ServletRegistrationBean<Servlet> probe() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response) {
					try {
						response.getWriter().write("UP");
					}
					catch (IOException ex) {
						throw new UncheckedIOException(ex);
					}
				}

			}, "/probe");
		}

	}

}
