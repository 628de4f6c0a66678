package io.github.steadyjobs.dashboard;

/**
 * Shows the doctor's findings about Redis.
 */
final class DoctorPage implements Page {

	private final Samples samples;

	DoctorPage(Samples samples) {
		this.samples = samples;
	}

	@Override
	public String name() {
		return Area.DOCTOR.page();
	}

	@Override
	public Area area() {
		return Area.DOCTOR;
	}

	@Override
	public View view(Visit visit) {
		Reading<Diagnosis> diagnosis = this.samples.diagnosis();
		if (diagnosis == null) {
			throw RefusedException.notFound("refused.doctor");
		}
		return new View("doctor", Area.DOCTOR.title(), diagnosis.value(), diagnosis);
	}

}
