package io.updraft.messaging.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Acks everything. After some tuples it creates a file named after its process with the name of the thread that received
 * messages; the next process creates another file.
 */
@SuppressWarnings("serial")
final class ThreadNameBolt extends BaseBasicBolt {

    private static final int SOME = 300;

    private final String directory;
    private transient int seen;

    ThreadNameBolt(String directory) {
        this.directory = directory;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        seen = 0;
    }

    @Override
    public void execute(Tuple input, BasicOutputCollector collector) {
        if (++seen == SOME) {
            testify();
        }
    }

    private void testify() {
        boolean ours = Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("updraft-messaging"));
        try {
            Files.writeString(
                    Path.of(directory, "bolt-" + ProcessHandle.current().pid()), ours ? "updraft" : "storm");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // It emits nothing.
    }
}
