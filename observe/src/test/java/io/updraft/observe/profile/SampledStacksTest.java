package io.updraft.observe.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampledStacksTest {
    private static final String COLLAPSED = """
            java/lang/Thread.run_[j];acme/Sink.execute_[j];acme/Sink.burn_[j] 5
            java/lang/Thread.run_[j];acme/Sink$$Lambda$7.0x00007f34.run_[j];acme/Row.parse_[j] 2
            java/lang/Thread.run_[j];acme/Other.execute_[j];acme.Sink$Row_[i] 3
            java/lang/Thread.run_[j];acme/SinkOfOthers.execute_[j] 4
            start_thread;JavaThread::run 1
            """;

    @Test
    void shouldKeepStacksWithAFrameOfTheClasses() throws Exception {
        SampledStacks all = SampledStacks.parse(COLLAPSED);
        SampledStacks own = all.of(Set.of("acme.Sink"));
        assertThat(all.total()).isEqualTo(15);
        assertThat(own.total()).isEqualTo(7);
        assertThat(text(own, ProfileFormat.COLLAPSED))
                .isEqualTo("java/lang/Thread.run;acme/Sink$$Lambda$7.0x00007f34.run;acme/Row.parse 2\n"
                        + "java/lang/Thread.run;acme/Sink.execute;acme/Sink.burn 5\n");
    }

    @Test
    void shouldDrawAFlameGraph() throws Exception {
        assertThat(text(SampledStacks.parse(COLLAPSED), ProfileFormat.HTML))
                .startsWith("<!DOCTYPE html>")
                .contains("cpu (samples)", "JavaThread::run");
    }

    private static String text(SampledStacks stacks, ProfileFormat format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        stacks.write(format, "cpu (samples)", out);
        return out.toString("UTF-8");
    }
}
