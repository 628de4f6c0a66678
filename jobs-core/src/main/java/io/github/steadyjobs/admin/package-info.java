/**
 * What an operator does to single jobs and their locks. The entry point is
 * {@link io.github.steadyjobs.admin.JobLocks}.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
