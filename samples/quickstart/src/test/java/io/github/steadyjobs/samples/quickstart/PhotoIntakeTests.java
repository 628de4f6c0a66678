package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.samples.quickstart.Photo.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.assertArg;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PhotoIntake}.
 */
class PhotoIntakeTests {

	private static final Duration KEEP = Duration.ofMinutes(90);

	private static final List<EnqueueResult> RESULTS = List.of(new EnqueueResult.Enqueued("1"),
			new EnqueueResult.Scheduled("2", Instant.EPOCH));

	private final UUID id = UUID.randomUUID();

	private final JobClient jobs = mock(JobClient.class);

	private PhotoStore store;

	private PhotoIntake intake;

	@BeforeEach
	void setUp(@TempDir Path directory) throws IOException {
		QuickstartProperties properties = new QuickstartProperties(directory, KEEP, Duration.ZERO);
		this.store = new PhotoStore(properties, JsonMapper.shared());
		this.intake = new PhotoIntake(this.store, this.jobs, properties);
	}

	@Test
	void addStoresPhotoBeforeItsJobs() throws IOException {
		given(this.jobs.enqueueAll(any())).willAnswer((invocation) -> {
			assertThat(this.store.find(this.id)).get().returns(State.QUEUED, Photo::state);
			return RESULTS;
		});
		assertThat(this.intake.add(Photo.uploaded(this.id, "beach.jpg"), picture())).isEqualTo("1");
		assertThat(this.store.original(this.id)).hasContent("picture");
	}

	@Test
	void addSchedulesTheEndOfThePhoto() throws IOException {
		given(this.jobs.enqueueAll(any())).willReturn(RESULTS);
		this.intake.add(Photo.uploaded(this.id, "beach.jpg"), picture());
		then(this.jobs).should()
			.enqueueAll(assertArg((requests) -> assertThat(requests).extracting((request) -> request.options().delay())
				.containsExactly(null, KEEP)));
	}

	@Test
	void addWhenRunTwiceKeepsWhatTheFirstRunHasMade() throws IOException {
		given(this.jobs.enqueueAll(any())).willReturn(RESULTS);
		this.intake.add(Photo.uploaded(this.id, "beach.jpg"), picture());
		this.store.save(this.store.find(this.id).orElseThrow().ready());
		this.intake.add(Photo.uploaded(this.id, "beach.jpg"), picture());
		assertThat(this.store.findAll()).singleElement().matches(Photo::isReady);
	}

	@Test
	void addWhenJobsCannotBeEnqueuedKeepsNothing() throws IOException {
		given(this.jobs.enqueueAll(any())).willThrow(new JobStoreUnavailableException("Redis is away", null));
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.intake.add(Photo.uploaded(this.id, "beach.jpg"), picture()));
		assertThat(this.store.findAll()).isEmpty();
	}

	private static InputStream picture() {
		return new ByteArrayInputStream("picture".getBytes());
	}

}
