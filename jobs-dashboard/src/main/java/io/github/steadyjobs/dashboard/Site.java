package io.github.steadyjobs.dashboard;

import java.util.List;

/**
 * The parts that all pages have in common.
 *
 * @param application the name of the system
 * @param areas the entries of the navigation
 * @param assets style sheet, scripts and icon
 */
record Site(String application, List<Area> areas, Assets assets) {

}
