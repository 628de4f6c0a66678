package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueNotices}.
 */
class QueueNoticesTests {

	private final List<String> lines = new ArrayList<>();

	private final QueueNotices notices = new QueueNotices(this.lines::add);

	@Test
	void reportWhenManyQueuesTellOfAnEventIsOneLine() {
		for (int times = 0; times < 1000; times++) {
			this.notices.add("orders", "everything of queue orders");
		}
		this.notices.report(false);
		assertThat(this.lines).as("lines while more notices may come").isEmpty();
		this.notices.add("mail", "everything of queue mail");
		this.notices.report(false);
		assertThat(this.lines).isEmpty();
		this.notices.report(false);
		this.notices.report(false);
		assertThat(this.lines).containsExactly("everything of queue mail, everything of queue orders");
	}

	@Test
	void reportWhenThereAreTooManyToNameSaysHowManyMore() {
		for (int queue = 10; queue < 22; queue++) {
			this.notices.add("q" + queue, "all of q" + queue);
		}
		this.notices.report(true);
		assertThat(this.lines).singleElement().asString().startsWith("all of q10, ").endsWith("q19 and 2 more");
	}

	@Test
	void reportWhenThereIsNothingIsSilent() {
		this.notices.report(true);
		assertThat(this.lines).isEmpty();
	}

}
