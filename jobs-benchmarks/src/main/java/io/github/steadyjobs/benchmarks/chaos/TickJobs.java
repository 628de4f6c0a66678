package io.github.steadyjobs.benchmarks.chaos;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringTick;

import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;
import org.springframework.context.event.EventListener;

/**
 * The jobs of the program {@code recurring}. They record their runs.
 *
 * <p>
 * Annotation values are constants, but the schedules of these jobs are drawn at random.
 * So their class is generated at run time.
 */
class TickJobs {

	/** The first word of a record that says when a tick was due. */
	static final String DUE = "DUE";

	/** The first word of a record that says which tick an event has reported. */
	static final String TOLD = "TOLD";

	/** One in this many ticks fails on its first attempt. */
	private static final int ONE_IN = 50;

	private final EffectLog log;

	private final Map<String, TickSpec> specs = new HashMap<>();

	TickJobs(EffectLog log, List<TickSpec> specs) {
		this.log = log;
		specs.forEach((spec) -> this.specs.put(spec.name(), spec));
	}

	/**
	 * Generate a class with one annotated method for each job.
	 */
	static Class<? extends TickJobs> withAnnotations(List<TickSpec> specs) {
		String parent = Type.getInternalName(TickJobs.class);
		ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
		type.visit(Opcodes.V17, 0, parent + "OfSeed", null, parent, null);
		String arguments = Type.getMethodDescriptor(Type.VOID_TYPE, Type.getType(EffectLog.class),
				Type.getType(List.class));
		MethodVisitor constructor = type.visitMethod(0, "<init>", arguments, null, null);
		constructor.visitVarInsn(Opcodes.ALOAD, 0);
		constructor.visitVarInsn(Opcodes.ALOAD, 1);
		constructor.visitVarInsn(Opcodes.ALOAD, 2);
		constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, parent, "<init>", arguments, false);
		constructor.visitInsn(Opcodes.RETURN);
		constructor.visitMaxs(0, 0);
		TickSpec.QUEUES.forEach((queue) -> addJob(type, parent, queue,
				specs.stream().filter((spec) -> spec.queue().equals(queue)).toList()));
		type.visitEnd();
		try {
			return MethodHandles.lookup().defineClass(type.toByteArray()).asSubclass(TickJobs.class);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("A class cannot be added to this package", ex);
		}
	}

	private static void addJob(ClassWriter type, String parent, String queue, List<TickSpec> specs) {
		String arguments = Type.getMethodDescriptor(Type.VOID_TYPE, Type.getType(JobContext.class));
		MethodVisitor method = type.visitMethod(0, queue.replace('-', '_'), arguments, null,
				new String[] { Type.getInternalName(Exception.class) });
		AnnotationVisitor job = method.visitAnnotation(Type.getDescriptor(Job.class), true);
		job.visit("name", queue);
		job.visit("queue", queue);
		job.visitEnd();
		AnnotationVisitor all = method.visitAnnotation(Type.getDescriptor(Recurring.Schedules.class), true);
		AnnotationVisitor array = all.visitArray("value");
		specs.forEach((spec) -> annotate(array.visitAnnotation(null, Type.getDescriptor(Recurring.class)), spec));
		array.visitEnd();
		all.visitEnd();
		method.visitVarInsn(Opcodes.ALOAD, 0);
		method.visitVarInsn(Opcodes.ALOAD, 1);
		method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, parent, "obey", arguments, false);
		method.visitInsn(Opcodes.RETURN);
		method.visitMaxs(0, 0);
	}

	private static void annotate(AnnotationVisitor recurring, TickSpec spec) {
		recurring.visit("name", spec.name());
		Duration every = spec.schedule().every();
		if (every != null) {
			recurring.visit("every", every.toString());
		}
		else {
			recurring.visit("cron", Objects.requireNonNull(spec.schedule().cron()));
			recurring.visit("zone", spec.schedule().zone().getId());
		}
		if (spec.schedule().from() != null) {
			recurring.visit("from", spec.schedule().from().toString());
		}
		if (!spec.schedule().jitter().isZero()) {
			recurring.visit("jitter", spec.schedule().jitter().toString());
		}
		recurring.visit("atMost", spec.policies().atMost());
		recurring.visitEnum("missed", Type.getDescriptor(Recurring.Missed.class), spec.policies().missed().name());
		recurring.visitEnum("overlap", Type.getDescriptor(Recurring.Overlap.class), spec.policies().overlap().name());
		recurring.visitEnd();
	}

	/**
	 * Wait for a random time that depends on the tick, and fail the first attempt for
	 * some of the ticks.
	 */
	void obey(JobContext job) throws Exception {
		TickSpec spec = Objects.requireNonNull(this.specs.get(job.meta().get(RecurringJob.META_NAME)));
		Instant due = Instant.parse(Objects.requireNonNull(job.meta().get(RecurringJob.META_DUE)));
		this.log.write(EffectLine.note("%s %s %d".formatted(DUE, job.id(), due.toEpochMilli())));
		EffectLog.Effect effect = this.log.begin(spec.number(), job.id(), job.fencingToken());
		Random random = new Random(due.toEpochMilli() * spec.queue().length() + spec.number());
		try {
			Thread.sleep(random.nextLong(spec.longest().toMillis() + 1));
		}
		catch (InterruptedException ex) {
			effect.interrupted();
			throw ex;
		}
		if (random.nextInt(ONE_IN) == 0 && job.attempt() == 1) {
			effect.failed();
			throw new ChaosJobs.OrderedFailure();
		}
		effect.done();
	}

	@EventListener
	void told(RecurringTick tick) {
		this.log.write(EffectLine.note("%s %s %d".formatted(TOLD, tick.name(), tick.due().toEpochMilli())));
	}

}
