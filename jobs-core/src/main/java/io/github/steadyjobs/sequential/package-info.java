/**
 * What people do with ordered jobs: look into their morgue, and let payloads run again.
 * That such jobs run one after another is the work of the packages that run all jobs.
 */
@NullMarked
package io.github.steadyjobs.sequential;

import org.jspecify.annotations.NullMarked;
