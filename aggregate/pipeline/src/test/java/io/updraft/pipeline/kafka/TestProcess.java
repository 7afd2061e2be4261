package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.ProcessDescription;
import java.util.List;
import java.util.Map;

/** Descriptions of this process. */
final class TestProcess {

    private TestProcess() {}

    static ProcessDescription of(String topic) {
        return ProcessDescription.ofThisProcess("test", List.of(topic), Map.of());
    }
}
