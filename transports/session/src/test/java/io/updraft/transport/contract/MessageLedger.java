package io.updraft.transport.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The model of what one worker sends to another, through all lives of both: numbered frames in eras. An era is what was taken
 * between an onOpen of the sender and the end of that channel; the length and the bytes of each frame follow from its era and
 * number, so that the receiver knows what must come.
 */
final class MessageLedger {

    private static final int HEADER = 2 * Integer.BYTES;
    private static final int FILLERS = 241;

    /** One era. What was taken the sender writes, what arrived the receiver. */
    static final class Era {
        final int id;
        volatile long taken;
        volatile long takenBytes;
        volatile long arrived;
        volatile long arrivedBytes;
        volatile SessionLoss loss;
        /** The sender was killed, so that nobody was told of any loss. */
        volatile boolean orphaned;

        Era(int id) {
            this.id = id;
        }
    }

    final String name;
    private final long seed;
    private final int longest;
    private final byte[] filler;
    private final List<Era> eras = new CopyOnWriteArrayList<>();

    MessageLedger(String name, long seed, int longest, byte[] filler) {
        this.name = name;
        this.seed = seed;
        this.longest = longest;
        this.filler = filler;
    }

    /** Random bytes of which all frames are parts. */
    static byte[] filler(int longest) {
        byte[] bytes = new byte[longest + FILLERS];
        new java.util.Random(7).nextBytes(bytes);
        return bytes;
    }

    Era begin() {
        Era era = new Era(eras.size());
        eras.add(era);
        return era;
    }

    Era era(int id) {
        assertThat(id).as("the era of a frame").isBetween(0, eras.size() - 1);
        return eras.get(id);
    }

    /** {@return frames that have arrived} */
    long arrived() {
        return eras.stream().mapToLong(era -> era.arrived).sum();
    }

    /** {@return frames that were taken, and never arrived} */
    long lost() {
        return eras.stream().mapToLong(era -> era.taken - era.arrived).sum();
    }

    int eras() {
        return eras.size();
    }

    /** Bytes of a frame: the first of an era can say which era it is, others may be as short as can be. */
    int length(int era, long number) {
        SplittableRandom random = new SplittableRandom(seed + era * 1_000_003L + number);
        int dice = random.nextInt(1_000);
        int most = dice < 800 ? 2_000 : dice < 997 ? 100_000 : longest;
        return Math.max(number == 0 ? HEADER : 1, random.nextInt(Math.min(most, longest)) + 1);
    }

    ByteBuffer frame(int era, long number) {
        int length = length(era, number);
        int from = (int) ((31L * era + number) % FILLERS);
        byte[] bytes = java.util.Arrays.copyOfRange(filler, from, from + length);
        if (length < HEADER) {
            bytes[0] = (byte) number;
            return ByteBuffer.wrap(bytes);
        }
        return ByteBuffer.wrap(bytes).putInt(era).putInt((int) number).rewind();
    }

    /**
     * Checks the promises, when all is quiet: what was not reported as lost has arrived, and no more is reported than was
     * taken.
     */
    void check() {
        for (Era era : eras) {
            String what = name + ", era " + era.id + ", ";
            assertThat(era.arrived).as(what + "arrived of " + era.taken).isLessThanOrEqualTo(era.taken);
            if (era.loss != null) {
                assertThat(era.loss.frames())
                        .as(what + "frames that may be lost, " + era.loss.reason())
                        .isBetween(era.taken - era.arrived, era.taken);
                assertThat(era.loss.bytes())
                        .as(what + "bytes that may be lost, " + era.loss.reason())
                        .isBetween(era.takenBytes - era.arrivedBytes, era.takenBytes);
            } else if (!era.orphaned) {
                assertThat(era.arrived).as(what + "arrived").isEqualTo(era.taken);
            }
        }
    }
}
