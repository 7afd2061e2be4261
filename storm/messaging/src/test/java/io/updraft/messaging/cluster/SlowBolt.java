package io.updraft.messaging.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;

/** Processes each tuple slowly, checks the order of tuples, and creates a file when the last one has come. */
@SuppressWarnings("serial")
final class SlowBolt extends BaseBasicBolt {

    private static final long NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    private final String file;
    private transient int expected;

    SlowBolt(String file) {
        this.file = file;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        expected = 0;
    }

    @Override
    public void execute(Tuple input, BasicOutputCollector collector) {
        int number = input.getInteger(0);
        if (number != expected++) {
            throw new IllegalStateException("tuple " + number + " comes after " + (expected - 2));
        }
        LockSupport.parkNanos(NANOS);
        if (input.getBoolean(1)) {
            report();
        }
    }

    private void report() {
        try {
            Files.createFile(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // It emits nothing.
    }
}
