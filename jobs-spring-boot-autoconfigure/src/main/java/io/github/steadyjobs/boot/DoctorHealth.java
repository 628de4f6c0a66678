package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Adds the findings of the doctor to health. The findings come first, because the other
 * details may be unavailable if a permission is missing.
 */
final class DoctorHealth implements JobsHealthPart, PriorityOrdered {

	private final Doctor doctor;

	DoctorHealth(Doctor doctor) {
		this.doctor = doctor;
	}

	@Override
	public Status addTo(Health.Builder builder) {
		List<Finding> findings = this.doctor.examine();
		Map<String, String> texts = new LinkedHashMap<>();
		findings.forEach((finding) -> texts.put(finding.check().id(),
				finding.severity().name().toLowerCase(Locale.ROOT) + ": " + finding));
		builder.withDetail("doctor", texts);
		boolean unfit = findings.stream().anyMatch((finding) -> finding.severity().compareTo(Severity.ERROR) >= 0);
		return unfit ? Status.DOWN : Status.UP;
	}

	@Override
	public Map<String, String> dataLosses() {
		return this.doctor.dataLosses();
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
