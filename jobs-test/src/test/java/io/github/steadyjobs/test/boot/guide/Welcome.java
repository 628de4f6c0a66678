package io.github.steadyjobs.test.boot.guide;

record Welcome(String email) {

}
