package io.github.steadyjobs.boot;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the endpoint {@code jobs}.
 *
 * @param showValues When to show arguments, metadata, keys and failure messages.
 * @param roles Roles used to determine whether a user is authorized to be shown values.
 * When empty, all authenticated users are authorized.
 */
@ConfigurationProperties("management.endpoint.jobs")
record JobsEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

}
