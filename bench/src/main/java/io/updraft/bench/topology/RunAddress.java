package io.updraft.bench.topology;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The address at which the harness of a run listens for components in other processes. Its text is the run's id, which
 * components carry with them: {@code bench-<token>@<port>}. Only the loopback interface is used.
 *
 * @param token proves that a connecting process knows the run's id; 128 random bits in hexadecimal digits
 * @param port the harness's TCP port on the loopback address
 */
record RunAddress(String token, int port) {

    private static final String PREFIX = "bench-";
    private static final int TOKEN_BYTES = 16;
    private static final int PORTS = 65536;

    /** Creates an address with a new token. */
    public static RunAddress random(int port) {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        return new RunAddress(HexFormat.of().formatHex(token), port);
    }

    /**
     * Parses a run's id.
     *
     * @return the address; empty when the harness is in the same process
     */
    public static Optional<RunAddress> in(String runId) {
        int at = runId.lastIndexOf('@');
        if (!runId.startsWith(PREFIX) || at < 0 || !runId.substring(at + 1).matches("\\d{1,5}")) {
            return Optional.empty();
        }
        int port = Integer.parseInt(runId.substring(at + 1));
        return port == 0 || port >= PORTS
                ? Optional.empty()
                : Optional.of(new RunAddress(runId.substring(PREFIX.length(), at), port));
    }

    public String runId() {
        return PREFIX + token + "@" + port;
    }
}
