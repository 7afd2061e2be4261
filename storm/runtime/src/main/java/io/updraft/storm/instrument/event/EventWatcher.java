package io.updraft.storm.instrument.event;

import io.updraft.storm.instrument.watch.TaskInstruments;
import io.updraft.storm.instrument.watch.Watcher;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.tuple.Values;

/** Sends a sample of the tuples that a task emits to the event logger. */
public final class EventWatcher implements Watcher {

    private static final double ALL = 100;

    private final TaskInstruments task;
    private final String component;
    private volatile double percent;

    public EventWatcher(TaskInstruments task, double percent) {
        this.task = task;
        this.component = task.context().getThisComponentId();
        this.percent = percent;
    }

    public void setPercent(double next) {
        percent = next;
    }

    @Override
    public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
        if (ThreadLocalRandom.current().nextDouble() * ALL < percent) {
            task.emit(
                    StormCommon.EVENTLOGGER_STREAM_ID,
                    new Values(component, messageId, System.currentTimeMillis(), values));
        }
    }
}
