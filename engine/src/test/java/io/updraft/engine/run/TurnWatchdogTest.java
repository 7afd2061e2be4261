package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TurnWatchdogTest {
    private static final long MILLI = 1_000_000;

    private static boolean isStuck(long millis, Thread.State state, long cpuMillis, boolean wantsCore) {
        return TurnWatchdog.isStuck(millis * MILLI, state, cpuMillis * MILLI, () -> wantsCore);
    }

    @Test
    void shouldTakeTheLoopOfAThreadThatWaitsInJava() {
        assertThat(isStuck(5, Thread.State.TIMED_WAITING, 0, false)).isTrue();
        assertThat(isStuck(5, Thread.State.BLOCKED, 0, false)).isTrue();
    }

    @Test
    void shouldTakeTheLoopOfAThreadThatComputes() {
        assertThat(isStuck(5, Thread.State.RUNNABLE, 3, true)).isTrue();
        assertThat(isStuck(5, Thread.State.RUNNABLE, 1, true)).isFalse();
    }

    @Test
    void shouldTakeTheLoopOfAThreadThatIsBlockedInASystemCall() {
        assertThat(isStuck(39, Thread.State.RUNNABLE, 0, false)).isFalse();
        assertThat(isStuck(40, Thread.State.RUNNABLE, 0, false)).isTrue();
    }

    @Test
    void shouldLeaveTheLoopToAThreadThatHasNoCore() {
        assertThat(isStuck(40, Thread.State.RUNNABLE, 0, true)).isFalse();
        assertThat(isStuck(10_000, Thread.State.RUNNABLE, 1, true)).isFalse();
        assertThat(isStuck(5, Thread.State.TIMED_WAITING, 0, true)).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellAThreadThatWantsACoreFromOneThatIsBlockedInASystemCall() throws IOException {
        AtomicBoolean over = new AtomicBoolean();
        Pipe pipe = Pipe.open();
        EngineThread spinning = start(() -> {
            while (!over.get()) {
                Thread.onSpinWait();
            }
        });
        EngineThread reading = start(() -> read(pipe));
        try {
            Await.until("a thread wants a core", () -> EngineThread.wantsCore(spinning));
            Await.until(
                    "the other is blocked",
                    () -> reading.getState() == Thread.State.RUNNABLE && !EngineThread.wantsCore(reading));
        } finally {
            over.set(true);
            pipe.sink().close();
        }
        assertThat(EngineThread.wantsCore(Thread.currentThread())).isFalse();
    }

    private static EngineThread start(Runnable body) {
        EngineThread thread = new EngineThread(body, "test", null);
        thread.start();
        return thread;
    }

    private static void read(Pipe pipe) {
        try (Pipe.SourceChannel source = pipe.source()) {
            source.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
