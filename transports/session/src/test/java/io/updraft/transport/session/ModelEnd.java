package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One side of a {@link ModelTest} and the model of what it sends: numbered frames, in eras from onOpen to onLost. Each frame
 * says in which era it was sent, which number it has in it, and fills the rest with bytes that follow from both.
 */
final class ModelEnd implements SessionHandler {

    private static final int LEAST = 2 * Integer.BYTES;

    /** What was sent between one onOpen and the onLost after it, and what became of it at the other end. */
    private static final class Era {
        final List<Integer> taken = new ArrayList<>();
        int arrived;
        SessionLoss loss;
    }

    ModelEnd other;
    int framesInParts;
    int refusedOffers;

    private final long credit;
    private final List<Era> eras = new ArrayList<>();
    private final ArrayDeque<Integer> held = new ArrayDeque<>();
    private Session session;
    private boolean open;
    private boolean anyFrame;
    private int eraOfOther = -1;
    private long heldBytes;
    private int received;
    private int longest;

    ModelEnd(long credit) {
        this.credit = credit;
    }

    boolean offer(int length) {
        if (!open) {
            return false;
        }
        Era era = eras.get(eras.size() - 1);
        ByteBuffer frame = frame(eras.size() - 1, era.taken.size(), Math.max(LEAST, length));
        int bytes = frame.remaining();
        if (!session.offer(frame)) {
            assertThat(frame.remaining())
                    .as("nothing of a refused frame is taken")
                    .isEqualTo(bytes);
            refusedOffers++;
            return false;
        }
        assertThat(frame.remaining()).as("all of a frame is taken").isZero();
        session.flush();
        era.taken.add(bytes);
        framesInParts += bytes > 1023 ? 1 : 0;
        other.longest = Math.max(other.longest, bytes);
        return true;
    }

    void release(SplittableRandom random) {
        for (int i = random.nextInt(held.size() + 1); i > 0; i--) {
            int bytes = held.poll();
            heldBytes -= bytes;
            session.release(bytes);
        }
    }

    void releaseAll() {
        while (!held.isEmpty()) {
            int bytes = held.poll();
            heldBytes -= bytes;
            session.release(bytes);
        }
    }

    int received() {
        return received;
    }

    int lostForReal() {
        return eras.stream().mapToInt(era -> era.taken.size() - era.arrived).sum();
    }

    void check() {
        assertThat(heldBytes).as("bytes held, of a credit and one frame").isLessThan(credit + longest);
        assertThat(session == null ? open : session.isOpen()).isEqualTo(open);
    }

    /** All that was not reported as lost has arrived, and no more is reported than was sent. */
    void checkLosses() {
        for (Era era : eras) {
            int arrivedBytes = era.taken.stream()
                    .limit(era.arrived)
                    .mapToInt(bytes -> bytes)
                    .sum();
            int takenBytes = era.taken.stream().mapToInt(bytes -> bytes).sum();
            if (era.loss == null) {
                assertThat(era.arrived).as("arrived, of the last era").isEqualTo(era.taken.size());
            } else {
                assertThat(era.loss.frames())
                        .as("frames reported lost")
                        .isBetween((long) era.taken.size() - era.arrived, (long) era.taken.size());
                assertThat(era.loss.bytes())
                        .as("bytes reported lost")
                        .isBetween((long) takenBytes - arrivedBytes, (long) takenBytes);
            }
        }
    }

    @Override
    public void onOpen(Session opened) {
        assertThat(open).as("open already").isFalse();
        assertThat(session == null || session == opened)
                .as("the same session goes on")
                .isTrue();
        session = opened;
        open = true;
        anyFrame = false;
        eras.add(new Era());
    }

    @Override
    public void onFrame(Session from, ByteBuffer frame) {
        assertThat(open).as("open").isTrue();
        int bytes = frame.remaining();
        int era = frame.getInt();
        int number = frame.getInt();
        assertThat(era).as("the era of a frame").isGreaterThanOrEqualTo(eraOfOther);
        assertThat(era == eraOfOther).as("same era as the frame before").isEqualTo(anyFrame);
        assertThat(number).as("the number of a frame").isEqualTo(other.eras.get(era).arrived);
        assertThat(frame.rewind()).isEqualTo(frame(era, number, bytes));
        anyFrame = true;
        eraOfOther = era;
        other.eras.get(era).arrived++;
        received++;
        held.add(bytes);
        heldBytes += bytes;
    }

    @Override
    public void onWritable(Session to) {
        assertThat(open).as("open").isTrue();
    }

    @Override
    public void onLost(Session from, SessionLoss loss) {
        assertThat(open).as("open").isTrue();
        open = false;
        eras.get(eras.size() - 1).loss = loss;
    }

    private static ByteBuffer frame(int era, int number, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) (31 * era + number));
        return ByteBuffer.wrap(bytes).putInt(era).putInt(number).rewind();
    }
}
