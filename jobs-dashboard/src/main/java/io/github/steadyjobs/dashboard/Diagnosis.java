package io.github.steadyjobs.dashboard;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Finding;

/**
 * The results of the doctor.
 *
 * @param findings the problems that were found, the worst first
 * @param losses descriptions of the data that Redis has lost, by queue
 * @param clear the checks that found nothing
 */
record Diagnosis(List<Finding> findings, Map<String, String> losses, Set<Check> clear) {

	static Diagnosis of(Doctor doctor) {
		List<Finding> findings = doctor.examine()
			.stream()
			.sorted(Comparator.comparing(Finding::severity).reversed().thenComparing(Finding::check))
			.toList();
		Set<Check> clear = EnumSet.noneOf(Check.class);
		clear.addAll(doctor.checks());
		findings.forEach((finding) -> clear.remove(finding.check()));
		return new Diagnosis(findings, doctor.dataLosses(), clear);
	}

}
