package io.github.steadyjobs.dashboard;

import java.util.List;

/**
 * The parts that all pages share.
 *
 * @param application the name of the system, shown on each page
 * @param areas the entries of the navigation
 * @param assets the style sheet, the scripts and the icon
 */
record Site(String application, List<Area> areas, Assets assets) {

}
