package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class if a buffer of Netty was garbage collected without having been released. */
final class NoLeaks implements AfterAllCallback {

    private static final int ROUNDS = 3;

    @Override
    public void afterAll(ExtensionContext context) {
        // Leaks come to light with a later collection. A leak of our own shows that they have, and that they would.
        for (int i = 0; i < ROUNDS; i++) {
            awaitReportOf(leak());
        }
        assertThat(LeakRecorder.LEAKS).isEmpty();
    }

    private static String leak() {
        String canary = "canary " + UUID.randomUUID();
        NettyTransport.ALLOCATOR.directBuffer(8).touch(canary);
        return canary;
    }

    private static void awaitReportOf(String canary) {
        Await.until("Netty notices the leak", Duration.ofSeconds(30), () -> {
            System.gc();
            ByteBuf looksForLeaks = NettyTransport.ALLOCATOR.directBuffer(8);
            looksForLeaks.release();
            return LeakRecorder.LEAKS.removeIf(leak -> leak.contains(canary));
        });
    }
}
