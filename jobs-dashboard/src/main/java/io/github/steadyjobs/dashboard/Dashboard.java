package io.github.steadyjobs.dashboard;

/**
 * Holds the servlet and its path. The servlet itself is not a bean, because Spring Boot
 * serves every servlet bean on the application's port.
 *
 * @param path the path of the dashboard below the context path
 * @param access the rules that say who may use the dashboard
 */
record Dashboard(DashboardServlet servlet, String path, Access access) {

}
