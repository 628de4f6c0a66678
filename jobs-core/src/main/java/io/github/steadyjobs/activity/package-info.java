/**
 * The interface through which the beans for operators, in any module, report changes that
 * operators make through these beans. {@code JobActivity} of {@code jobs-admin}
 * determines who made the changes, and records them.
 */
@NullMarked
package io.github.steadyjobs.activity;

import org.jspecify.annotations.NullMarked;
