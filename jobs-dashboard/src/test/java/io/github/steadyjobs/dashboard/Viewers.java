package io.github.steadyjobs.dashboard;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import tools.jackson.databind.json.JsonMapper;

/**
 * Impatient viewers of a dashboard. They run in a separate process, so that their threads
 * and their garbage do not burden the JVM of the application.
 */
final class Viewers {

	static final int COUNT = 50;

	/** The pages that each viewer requests, one after the other. */
	private static final List<String> PAGES = List.of("", "list?place=dead", "list?place=dead&error=java.net.*",
			"running", "names", "recurring");

	/** Time between an answer and the next request of the same viewer. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final Process process;

	private final BufferedReader output;

	private Viewers(Process process) {
		this.process = process;
		this.output = process.inputReader(StandardCharsets.UTF_8);
	}

	/** Start viewers, and wait until they have received 300 answers. */
	static Viewers start(String dashboard) throws IOException {
		Viewers viewers = new Viewers(
				new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("java.class.path"), Viewers.class.getName(), dashboard)
					.redirectError(ProcessBuilder.Redirect.INHERIT)
					.start());
		viewers.output.readLine();
		return viewers;
	}

	/**
	 * Stop the viewers, and count the answers after the first 300, by status; the status
	 * is 0 if a request failed.
	 */
	Map<?, ?> stop() throws IOException {
		this.process.getOutputStream().close();
		return JsonMapper.shared().readValue(this.output.readLine(), Map.class);
	}

	public static void main(String[] args) throws Exception {
		Map<Integer, Integer> answers = new ConcurrentHashMap<>();
		CountDownLatch warm = new CountDownLatch(300);
		for (int i = 0; i < COUNT; i++) {
			int first = i;
			Thread viewer = new Thread(() -> look(args[0], first, answers, warm));
			viewer.setDaemon(true);
			viewer.start();
		}
		warm.await();
		answers.clear();
		System.out.println("warm");
		while (System.in.read() >= 0) {
			// The loop ends when the parent process closes the stream or dies.
		}
		System.out.println(JsonMapper.shared().writeValueAsString(answers));
	}

	private static void look(String dashboard, int first, Map<Integer, Integer> answers, CountDownLatch warm) {
		HttpClient client = HttpClient.newHttpClient();
		for (int visit = first;; visit++) {
			URI page = URI.create(dashboard + PAGES.get(visit % PAGES.size()));
			try {
				int status = client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofByteArray()).statusCode();
				answers.merge(status, 1, Integer::sum);
			}
			catch (IOException ex) {
				answers.merge(0, 1, Integer::sum);
			}
			catch (InterruptedException ex) {
				return;
			}
			warm.countDown();
			LockSupport.parkNanos(PATIENCE.toNanos());
		}
	}

}
