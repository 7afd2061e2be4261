package io.updraft.bench.topology;

import java.util.SplittableRandom;

/** Prepared messages of one size, returned in turn. */
final class PreparedMessages {

    private static final int DIFFERENT = 128;

    private final byte[][] messages = new byte[DIFFERENT][];

    PreparedMessages(int bytes) {
        SplittableRandom random = new SplittableRandom(bytes);
        for (int i = 0; i < DIFFERENT; i++) {
            messages[i] = new byte[bytes];
            random.nextBytes(messages[i]);
        }
    }

    byte[] get(long sequence) {
        return messages[(int) sequence & (DIFFERENT - 1)];
    }
}
