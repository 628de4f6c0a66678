package io.github.steadyjobs.guide.testing;

record Welcome(String email) {

}
