package io.github.steadyjobs.boot;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Makes the threads that run jobs: virtual ones where the application has switched them
 * on, all with the class loader that the application's own classes come from, which after
 * a restart by the development tools is another one.
 */
record JobThreads(ThreadFactory factory) {

	static JobThreads create(boolean virtual, @Nullable ClassLoader classLoader) {
		ThreadFactory factory = virtual ? new VirtualThreadTaskExecutor().getVirtualThreadFactory() : Thread::new;
		return new JobThreads((task) -> {
			Thread thread = factory.newThread(task);
			thread.setContextClassLoader(classLoader);
			return thread;
		});
	}

}
