package io.updraft.engine.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DoorbellTest {

    private static final long AN_HOUR = 3_600_000_000_000L;

    private final Doorbell bell = new Doorbell();

    @Test
    void shouldNotSleepWhenThereIsWork() {
        bell.sleepUnless(() -> true, AN_HOUR);
        assertThat(bell).isNotNull();
    }

    @Test
    void shouldWakeASleeperForEachThingThatIsPublished() throws InterruptedException {
        int count = 5_000;
        AtomicInteger published = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        Thread sleeper = new Thread(() -> {
            while (taken.get() < count) {
                if (taken.get() < published.get()) {
                    taken.incrementAndGet();
                } else {
                    bell.sleepUnless(() -> taken.get() < published.get(), AN_HOUR);
                }
            }
        });
        sleeper.setDaemon(true);
        sleeper.start();
        for (int i = 1; i <= count; i++) {
            published.set(i);
            bell.ring();
            if (i % 3 == 0) {
                int all = i;
                // A lost wake-up would leave it asleep for an hour.
                while (taken.get() < all) {
                    Thread.yield();
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
            }
        }
        Await.until("all taken", () -> taken.get() == count);
    }

    @Test
    void shouldRingAtAnEmptyDoor() {
        bell.ring();
        bell.ring();
        assertThat(bell).isNotNull();
    }
}
