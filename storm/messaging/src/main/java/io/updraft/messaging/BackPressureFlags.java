package io.updraft.messaging;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storm's back-pressure flags of the tasks of other workers, by task. Storm's executors check them before they send. */
record BackPressureFlags(AtomicBoolean[] flags) {

    private static final Logger LOG = LoggerFactory.getLogger(BackPressureFlags.class);

    void apply(BackPressureStatus status) {
        LOG.debug("back-pressure: {}", status);
        set(status.bpTasks, true);
        set(status.nonBpTasks, false);
    }

    private void set(Collection<Integer> tasks, boolean underPressure) {
        if (tasks == null) {
            return;
        }
        for (int task : tasks) {
            if (task >= 0 && task < flags.length) {
                flags[task].set(underPressure);
            } else {
                LOG.error("back-pressure of task {}, but this topology has tasks up to {}", task, flags.length - 1);
            }
        }
    }
}
