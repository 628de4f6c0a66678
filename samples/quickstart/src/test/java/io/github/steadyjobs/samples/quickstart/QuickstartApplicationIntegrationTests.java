package io.github.steadyjobs.samples.quickstart;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.imageio.ImageIO;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.samples.quickstart.JobsController.Census;
import io.github.steadyjobs.samples.quickstart.Photo.State;
import io.github.steadyjobs.samples.quickstart.PhotoCensus.Count;
import io.github.steadyjobs.samples.quickstart.PhotoController.Accepted;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the site as a running application, over HTTP and with an embedded Redis.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "quickstart.retry-delay=50ms")
class QuickstartApplicationIntegrationTests {

	private static final byte[] PICTURE = Pictures.jpeg(10, 10);

	@Autowired
	private JobClient jobs;

	private RestTestClient site;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.site = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void uploadWhenFileIsPictureMakesThreeThumbnails() throws IOException {
		Accepted accepted = accepted(upload("beach.jpg", Pictures.jpeg(2000, 1500)));
		Photo photo = awaitPhoto(accepted.id(), State.READY);
		assertThat(photo.sizes()).containsExactly(PhotoSize.SMALL, PhotoSize.MEDIUM, PhotoSize.LARGE);
		assertThat(photo.name()).isEqualTo("beach.jpg");
		assertThat(dimensions("/photos/" + photo.id() + "/small")).isEqualTo("160 x 120");
		assertThat(dimensions("/photos/" + photo.id() + "/medium")).isEqualTo("480 x 360");
		assertThat(dimensions("/photos/" + photo.id() + "/large")).isEqualTo("1280 x 960");
	}

	@Test
	void uploadWhenPictureIsSmallDoesNotEnlargeIt() throws IOException {
		Accepted accepted = accepted(upload("icon.jpg", Pictures.jpeg(200, 50)));
		awaitPhoto(accepted.id(), State.READY);
		assertThat(dimensions("/photos/" + accepted.id() + "/large")).isEqualTo("200 x 50");
	}

	@Test
	void uploadWhenFileIsBrokenFailsRetriesAndEndsInDeadSet() {
		Accepted accepted = accepted(upload("broken.jpg", "no picture".getBytes(StandardCharsets.UTF_8)));
		Photo photo = awaiting().until(() -> photo(accepted.id()),
				(found) -> found.state() == State.FAILED && found.failure().attempt() == 4);
		assertThat(photo.failure()).isEqualTo(new Photo.Failure(accepted.jobId(), 4, 4, "No picture of a known kind"));
		assertThat(photo.sizes()).isEmpty();
		awaiting().untilAsserted(() -> get("/actuator/health").expectBody()
			.jsonPath("$.components.jobs.details.queues.photos.dead")
			.value((dead) -> assertThat((Integer) dead).isPositive()));
		assertThat(this.jobs.find(accepted.jobId())).get().returns(4, JobPayload::attempts);
		get("/photos/" + accepted.id() + "/small").expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.state")
			.isEqualTo("failed");
	}

	@Test
	void demoMakesPhotosAndContactSheetShowsThem() throws IOException {
		int before = gallery().counts().get(State.READY);
		post("/demo?photos=5").expectStatus().isAccepted().expectBody().jsonPath("$.photos").isEqualTo(5);
		awaiting().until(() -> gallery().counts().get(State.READY) >= before + 5);
		assertThat(gallery().demos()).extracting(Photo::name).contains("demo-1.jpg", "demo-5.jpg");
		assertThat(gallery().uploads()).extracting(Photo::name).doesNotContain("demo-1.jpg");
		String sheet = awaiting().until(() -> gallery().contactSheet(), (url) -> url != null);
		assertThat(dimensions("/" + sheet)).matches("\\d+ x \\d+");
	}

	@Test
	void jobsTellsWhatEachQueueHolds() {
		accepted(upload("beach.jpg", PICTURE));
		awaiting().untilAsserted(() -> get("/queues").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.keys()")
			.value((queues) -> assertThat(queues).asString().contains("photos", "default", "low"))
			.jsonPath("$.default.scheduled")
			.value((scheduled) -> assertThat((Integer) scheduled).isPositive()));
	}

	@Test
	void censusTellsEachRunOnce() {
		List<Count> runs = awaiting().until(() -> census().runs(), (found) -> found.size() >= 2);
		assertThat(Duration.between(runs.get(1).due(), runs.get(0).due())).isEqualTo(Duration.ofSeconds(10));
		assertThat(census().next()).hasSize(5);
	}

	private Census census() {
		return get("/census").expectStatus().isOk().expectBody(Census.class).returnResult().getResponseBody();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2001 })
	void demoWhenNumberIsOutOfBoundsIsRefused(int photos) {
		expectProblem(post("/demo?photos=" + photos), HttpStatus.BAD_REQUEST,
				"Parameter 'photos' must be between 1 and 2000");
	}

	@Test
	void uploadWhenFileIsEmptyIsRefused() {
		expectProblem(upload("empty.jpg", new byte[0]), HttpStatus.BAD_REQUEST, "The file is empty");
	}

	@Test
	void uploadWhenFileIsTooBigIsRefused() {
		expectProblem(upload("big.jpg", new byte[20 * 1024 * 1024 + 1]), HttpStatus.CONTENT_TOO_LARGE,
				"Maximum upload size exceeded");
	}

	@Test
	void uploadWhenFieldIsMissingIsRefused() {
		expectProblem(upload("other", file("beach.jpg", new byte[1])), HttpStatus.BAD_REQUEST,
				"Required part 'file' is not present.");
	}

	@Test
	void uploadWhenThereAreTwoFilesIsRefused() {
		expectProblem(upload("file", file("a.jpg", new byte[1]), file("b.jpg", new byte[1])), HttpStatus.BAD_REQUEST,
				"Send one file per request");
	}

	@Test
	void uploadWhenRequestIsNotMultipartIsRefused() {
		expectProblem(post("/photos"), HttpStatus.BAD_REQUEST, "Send the picture as the multipart field 'file'");
	}

	@Test
	void nameWhenItIsAPathIsCutDownToTheFile() {
		Accepted accepted = accepted(upload("..\\../etc/bea\tch.jpg", PICTURE));
		assertThat(photo(accepted.id()).name()).isEqualTo("beach.jpg");
	}

	@Test
	void nameWhenItIsTooLongIsCutBetweenCharacters() {
		Accepted accepted = accepted(upload("a" + "\uD83D\uDCF7".repeat(200), PICTURE));
		assertThat(photo(accepted.id()).name()).isEqualTo("a" + "\uD83D\uDCF7".repeat(99));
	}

	@ParameterizedTest
	@CsvSource({ "/photos/1, No such photo: 1", "/photos/..original, No such photo: ..original",
			"/photos/00000000-0000-0000-0000-000000000000, No such photo: 00000000-0000-0000-0000-000000000000",
			"/photos/00000000-0000-0000-0000-000000000000/small, No such photo: 00000000-0000-0000-0000-000000000000" })
	void photoWhenIdIsUnknownIsNotFound(String path, String detail) {
		expectProblem(get(path), HttpStatus.NOT_FOUND, detail);
	}

	@ParameterizedTest
	@ValueSource(strings = { "huge", "SMALL", "original", "photo.json" })
	void thumbnailWhenSizeIsUnknownIsNotFound(String size) {
		Accepted accepted = accepted(upload("beach.jpg", PICTURE));
		expectProblem(get("/photos/" + accepted.id() + "/" + size), HttpStatus.NOT_FOUND, "No such size: " + size);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/css/site.css", "/js/main.js", "/icon.svg", "/actuator/info", "/actuator/metrics",
			"/actuator/prometheus" })
	void siteServes(String path) {
		get(path).expectStatus().isOk();
	}

	private ResponseSpec upload(String name, byte[] content) {
		return upload("file", file(name, content));
	}

	private ResponseSpec upload(String field, ByteArrayResource... files) {
		MultiValueMap<String, Object> form = new LinkedMultiValueMap<>();
		form.addAll(field, List.of(files));
		return this.site.post().uri("/photos").contentType(MediaType.MULTIPART_FORM_DATA).body(form).exchange();
	}

	private static ByteArrayResource file(String name, byte[] content) {
		return new ByteArrayResource(content) {

			@Override
			public String getFilename() {
				return name;
			}

		};
	}

	private static Accepted accepted(ResponseSpec response) {
		Accepted accepted = response.expectStatus()
			.isAccepted()
			.expectHeader()
			.exists(HttpHeaders.LOCATION)
			.expectBody(Accepted.class)
			.returnResult()
			.getResponseBody();
		assertThat(accepted.jobId()).matches("[0-9a-f]{24}");
		return accepted;
	}

	private Photo awaitPhoto(UUID id, State state) {
		return awaiting().until(() -> photo(id), (photo) -> photo.state() == state);
	}

	private Photo photo(UUID id) {
		return get("/photos/" + id).expectStatus().isOk().expectBody(Photo.class).returnResult().getResponseBody();
	}

	private Gallery gallery() {
		return get("/photos").expectBody(Gallery.class).returnResult().getResponseBody();
	}

	private String dimensions(String path) throws IOException {
		byte[] body = get(path).expectStatus()
			.isOk()
			.expectHeader()
			.contentType(MediaType.IMAGE_JPEG)
			.expectBody()
			.returnResult()
			.getResponseBody();
		BufferedImage picture = ImageIO.read(new ByteArrayInputStream(body));
		return picture.getWidth() + " x " + picture.getHeight();
	}

	private ResponseSpec get(String path) {
		return this.site.get().uri(path).exchange();
	}

	private ResponseSpec post(String path) {
		return this.site.method(HttpMethod.POST).uri(path).exchange();
	}

	private static void expectProblem(ResponseSpec response, HttpStatus status, String detail) {
		response.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo(detail);
	}

	private static ConditionFactory awaiting() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
