package io.github.steadyjobs.boot;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Creates the threads that run jobs. They are virtual threads if the application has
 * enabled virtual threads. All these threads have the class loader of the application's
 * classes, which changes when the development tools restart the application.
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
