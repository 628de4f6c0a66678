package io.github.steadyjobs.test.bank;

import java.util.UUID;

/**
 * A payment to a bank account.
 */
public record Payment(UUID id, String owner, long cents) {

}
