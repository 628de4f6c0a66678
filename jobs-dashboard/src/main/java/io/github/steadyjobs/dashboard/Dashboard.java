package io.github.steadyjobs.dashboard;

/**
 * Holds the servlet and where it is served. The servlet is not a bean itself, because
 * Spring Boot serves every servlet bean on the application's port.
 *
 * @param path where it is below the context path
 * @param access who may use it
 */
record Dashboard(DashboardServlet servlet, String path, Access access) {

}
