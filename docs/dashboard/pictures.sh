#!/bin/sh
# Takes the pictures of docs/dashboard.md. Needs chromium on the PATH.
# The argument is how many minutes the samples run under load, 10 by default. A full hour fills the charts.
set -eu
cd "$(dirname "$0")/../.."
mvn -q -pl samples/quickstart,samples/orders -am -DskipTests package
mvn -q -Pbrowser -pl jobs-dashboard -am test -Dtest=DashboardPictures -Dsurefire.failIfNoSpecifiedTests=false "-Dminutes=${1:-10}"
