/**
 * Web pages that show queues, jobs and processes, and change them: one servlet, pages
 * that are rendered on the server, and a few lines of JavaScript that keep them up to
 * date.
 * <p>
 * A page is a {@link io.github.steadyjobs.dashboard.Page}: a bean that makes a model, and
 * a template of the same name that shows it. What changes something is an
 * {@link io.github.steadyjobs.dashboard.Action}.
 * <p>
 * <strong>Problem:</strong> pages have to work below any context path and behind any
 * proxy, and headers of proxies cannot be believed. <strong>Solution:</strong> all
 * addresses are one level deep and take names as parameters, so every link is a plain
 * relative reference.
 * <p>
 * <strong>Problem:</strong> many viewers who look on should not cost Redis more than one.
 * <strong>Solution:</strong> what all of them see is a {@link Sample} that is taken at
 * most once in a while, and what they see while Redis is unavailable.
 */
@NullMarked
package io.github.steadyjobs.dashboard;

import org.jspecify.annotations.NullMarked;
