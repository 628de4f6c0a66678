package io.github.steadyjobs.boot;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the endpoint {@code jobs}.
 *
 * @param showValues When to show arguments, metadata, keys and failure messages.
 * @param roles Roles that authorise a user to see values. If empty, all authenticated
 * users are authorised.
 */
@ConfigurationProperties("management.endpoint.jobs")
record JobsEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

}
