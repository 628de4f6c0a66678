package io.github.steadyjobs.observation;

import java.lang.reflect.Proxy;
import java.util.Map;

import io.github.steadyjobs.JobContext;

/**
 * Creates the context of a running job.
 */
final class RunningJob {

	static final String ID = "019b76daa800a51c2d3e4f50";

	private RunningJob() {
	}

	static JobContext with(Map<String, String> meta) {
		return with(meta, false);
	}

	static JobContext with(Map<String, String> meta, boolean stopping) {
		return (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
				new Class<?>[] { JobContext.class }, (proxy, method, args) -> switch (method.getName()) {
					case "id" -> ID;
					case "name" -> "InvoiceJobs.send";
					case "queue" -> "mail";
					case "capsule" -> "default";
					case "attempt" -> 2;
					case "meta" -> meta;
					case "isStopping" -> stopping;
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

}
