package com.acme;

import com.extra.Library;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;

/** A spout that records what it finds, and hooks that throw if a file says so. */
public final class Submitted {
    private Submitted() {}

    public static StormTopology topology(String directory, boolean hooked) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("finder", new Finder(directory));
        if (hooked) {
            builder.addWorkerHook(new Licence(directory));
        }
        return builder.createTopology();
    }

    /** Says what the library in another jar says. */
    public static final class Finder extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final String directory;

        Finder(String directory) {
            this.directory = directory;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            try {
                Files.writeString(
                        Path.of(directory, "found"),
                        Library.name() + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void nextTuple() {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Wants that there is no file "expired" when a worker starts, and none "kept" when it ends. */
    public static final class Licence extends BaseWorkerHook {
        private static final long serialVersionUID = 1L;
        private final String directory;

        Licence(String directory) {
            this.directory = directory;
        }

        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            if (Files.exists(Path.of(directory, "expired"))) {
                throw new AssertionError("no licence");
            }
        }

        @Override
        public void shutdown() {
            if (Files.exists(Path.of(directory, "kept"))) {
                throw new IllegalStateException("it is still lent");
            }
        }
    }

    /** Wants that its configuration has no "broken". */
    public static final class Watching extends BaseTaskHook {
        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            if (conf.containsKey("broken")) {
                throw new IllegalStateException("nothing to watch");
            }
        }
    }
}
