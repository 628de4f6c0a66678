/**
 * Web pages that show queues, jobs and processes, and change them: one servlet, pages
 * that are rendered on the server, and a few lines of JavaScript that keep them up to
 * date.
 * <p>
 * A {@link io.github.steadyjobs.dashboard.Page} creates a model, and a template shows the
 * model. A page that changes something is an
 * {@link io.github.steadyjobs.dashboard.Action}.
 * <p>
 * <strong>Problem:</strong> pages have to work below any context path and behind any
 * proxy, and headers of proxies cannot be trusted. <strong>Solution:</strong> all
 * addresses are one level deep and take names as parameters, so every link is a plain
 * relative reference.
 * <p>
 * <strong>Problem:</strong> many viewers should cost Redis no more than a single viewer.
 * <strong>Solution:</strong> all viewers see the same {@link Sample}, which is read at
 * most once in a given time, and which is still shown while Redis is unavailable.
 */
@NullMarked
package io.github.steadyjobs.dashboard;

import org.jspecify.annotations.NullMarked;
