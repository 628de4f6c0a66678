package io.github.steadyjobs.boot;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Lets an operator control this process with signals of the operating system: TSTP makes
 * it quiet, and TTIN dumps its threads to the log. TERM and INT are left to the JVM,
 * which closes the application. If a signal is not available, a warning is logged and the
 * application continues.
 * <p>
 * Uses {@code sun.misc.Signal}, which every JDK has although no specification requires
 * it. It is called by reflection, so that {@code ProcessSignals} compiles and loads
 * without that class.
 */
final class ProcessSignals implements SmartInitializingSingleton, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ProcessSignals.class);

	/** With these options, the JVM accepts handlers but never calls them. */
	private static final List<String> DEAF = List.of("-Xrs", "-XX:+ReduceSignalUsage");

	private final Launcher launcher;

	private final Map<String, Object> replaced = new ConcurrentHashMap<>();

	ProcessSignals(Launcher launcher) {
		this.launcher = launcher;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
		if (options.stream().anyMatch(DEAF::contains)) {
			logger.warn("'steadyjobs.worker.signals' has no effect: the JVM option -Xrs keeps Java from hearing of "
					+ "signals. Remove the option, and do not send TSTP to this process, which would freeze it");
			return;
		}
		handle("TSTP", () -> {
			logger.info("The signal TSTP makes this process quiet: it takes no more jobs");
			this.launcher.quiet();
		});
		// The dump is logged as a warning, so that the user who sent the signal sees it
		// at any usual log level.
		handle("TTIN", () -> logger.warn("The signal TTIN asks for the threads of this process:\n{}",
				this.launcher.threadDump()));
	}

	private void handle(String signal, Runnable action) {
		try {
			Class<?> type = Class.forName("sun.misc.SignalHandler");
			Object handler = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> switch (method.getName()) {
						case "handle" -> {
							action.run();
							passOn(type, signal, arguments[0]);
							yield null;
						}
						case "hashCode" -> System.identityHashCode(proxy);
						case "equals" -> proxy == arguments[0];
						default -> "handler of " + signal;
					});
			this.replaced.put(signal, install(signal, handler));
		}
		catch (InvocationTargetException ex) {
			logger.warn("This process will not receive the signal {}: {}", signal, ex.getTargetException().toString());
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			logger.warn("This process will not receive the signal {}, because this JVM has no sun.misc.Signal: {}",
					signal, ex.toString());
		}
	}

	/**
	 * Call the handler that another part of the application had installed before. The
	 * default action of the system is not carried out. For example, the default action of
	 * TSTP would suspend the process.
	 */
	private void passOn(Class<?> type, String name, Object signal) throws ReflectiveOperationException {
		Object before = this.replaced.get(name);
		if (before != null && before != type.getField("SIG_DFL").get(null)
				&& before != type.getField("SIG_IGN").get(null)) {
			type.getMethod("handle", signal.getClass()).invoke(before, signal);
		}
	}

	/** Install a handler and return the previous handler. */
	private static Object install(String name, Object handler) throws ReflectiveOperationException {
		Class<?> type = Class.forName("sun.misc.Signal");
		Object signal = type.getConstructor(String.class).newInstance(name);
		Method handle = type.getMethod("handle", type, Class.forName("sun.misc.SignalHandler"));
		return handle.invoke(null, signal, handler);
	}

	@Override
	public void destroy() {
		this.replaced.forEach((signal, handler) -> {
			try {
				install(signal, handler);
			}
			catch (ReflectiveOperationException ex) {
				logger.warn("The signal {} still goes to an application that has ended", signal, ex);
			}
		});
	}

	/** Registers what this class calls by reflection, for native images. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(TypeReference.of("sun.misc.SignalHandler"));
			hints.reflection()
				.registerType(TypeReference.of("sun.misc.Signal"), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
						MemberCategory.INVOKE_PUBLIC_METHODS)
				.registerType(TypeReference.of("sun.misc.SignalHandler"), MemberCategory.ACCESS_PUBLIC_FIELDS,
						MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

}
