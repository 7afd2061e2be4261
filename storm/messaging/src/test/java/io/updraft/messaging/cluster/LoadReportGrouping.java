package io.updraft.messaging.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.Load;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;

/** Sends all tuples to the first task, and creates a file when that task's worker has reported a load. */
@SuppressWarnings("serial")
final class LoadReportGrouping implements LoadAwareCustomStreamGrouping {

    private final String file;
    private transient List<Integer> target;
    private transient boolean told;

    LoadReportGrouping(String file) {
        this.file = file;
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targets) {
        target = targets.subList(0, 1);
    }

    @Override
    public List<Integer> chooseTasks(int from, List<Object> values) {
        return target;
    }

    @Override
    public void refreshLoad(LoadMapping loads) {
        Load load = loads.getLoad(target.get(0));
        if (!told && load.hasMetrics() && load.getBoltLoad() > 0) {
            told = true;
            report(load);
        }
    }

    private void report(Load load) {
        try {
            Files.writeString(Path.of(file), load.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
