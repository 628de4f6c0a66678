package io.github.steadyjobs.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of jobs with Micrometer. The auto-configuration derives no meters from
 * them, because jobs have their own.
 */
public enum JobsObservation implements ObservationDocumentation {

	/**
	 * A call that enqueues a job, or up to 1,000 jobs of a bulk push.
	 */
	JOB_PUBLISH(DefaultJobPublishObservationConvention.class,
			new KeyName[] { Key.JOB, Key.QUEUE, Key.RESULT, Key.DESTINATION, Key.OPERATION, Key.SYSTEM },
			new KeyName[] { Key.ID, Key.COUNT, Key.MESSAGE_ID }),

	/**
	 * A run of a job.
	 */
	JOB_PROCESS(DefaultJobProcessObservationConvention.class,
			new KeyName[] { Key.JOB, Key.OUTCOME, Key.QUEUE, Key.DESTINATION, Key.OPERATION, Key.SYSTEM },
			new KeyName[] { Key.ATTEMPT, Key.CAPSULE, Key.ID, Key.MESSAGE_ID });

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	private final KeyName[] lowCardinality;

	private final KeyName[] highCardinality;

	JobsObservation(Class<? extends ObservationConvention<? extends Observation.Context>> convention,
			KeyName[] lowCardinality, KeyName[] highCardinality) {
		this.convention = convention;
		this.lowCardinality = lowCardinality;
		this.highCardinality = highCardinality;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.lowCardinality.clone();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.highCardinality.clone();
	}

	/**
	 * The keys of both observations. In a bulk push, the name, the queue and the id are
	 * those of the first job.
	 */
	public enum Key implements KeyName {

		/** The name of the job. */
		JOB("jobs.job"),

		/** The queue of the job. */
		QUEUE("jobs.queue"),

		/**
		 * The type of the {@link io.github.steadyjobs.EnqueueResult}, such as
		 * {@code enqueued}; {@code bulk} for a bulk push, {@code failed} if the caller
		 * gets an exception.
		 */
		RESULT("jobs.result"),

		/**
		 * How the run ended: {@code done}, {@code failed}, {@code snoozed},
		 * {@code put_off} if the job has paused its queue, or {@code released} if a
		 * shutdown has interrupted it.
		 */
		OUTCOME("jobs.outcome"),

		/** The queue again, under the name that OpenTelemetry has for it. */
		DESTINATION("messaging.destination.name"),

		/** {@code send} or {@code process}. */
		OPERATION("messaging.operation.type"),

		/** Always {@code steadyjobs}. */
		SYSTEM("messaging.system"),

		/** The id of the job. Has high cardinality, like all keys after it. */
		ID("jobs.id"),

		/** The number of the attempt, beginning with 1. */
		ATTEMPT("jobs.attempt"),

		/** The capsule that runs the job. */
		CAPSULE("jobs.capsule"),

		/** The number of jobs that a call enqueues. */
		COUNT("messaging.batch.message_count"),

		/** The id again, under the name that OpenTelemetry has for it. */
		MESSAGE_ID("messaging.message.id");

		private final String text;

		Key(String text) {
			this.text = text;
		}

		@Override
		public String asString() {
			return this.text;
		}

	}

}
