package io.github.steadyjobs.dashboard;

/**
 * Shows the doctor's findings about Redis.
 */
final class DoctorPage extends Page {

	private final Samples samples;

	DoctorPage(Samples samples) {
		super(Area.DOCTOR);
		this.samples = samples;
	}

	@Override
	View view(Visit visit) {
		Reading<Diagnosis> diagnosis = this.samples.diagnosis();
		if (diagnosis == null) {
			throw RefusedException.notFound("refused.doctor");
		}
		return new View("doctor", Area.DOCTOR.title(), diagnosis.value(), diagnosis);
	}

}
