package io.updraft.observe.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilerTest {
    @TempDir
    Path directory;

    @Test
    void shouldWriteTheProfileWhoseProcessEnds() throws Exception {
        Path file = directory.resolve("cut.jfr");
        CountDownLatch recording = new CountDownLatch(1);
        CompletableFuture<JsonObject> profile = CompletableFuture.supplyAsync(() -> take(file, recording));
        recording.await();
        Profiler.finish();
        assertThat(file).isNotEmptyFile();
        assertThat(profile.get().get("endedAfterMillis")).asString().matches("\\d{1,4}");
    }

    private static JsonObject take(Path file, CountDownLatch recording) {
        try {
            return Profiler.profile(
                    new ProfileOrder(ProfileEvent.CPU, Duration.ofMinutes(10), file, null, null), () -> {
                        recording.countDown();
                        return true;
                    });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
