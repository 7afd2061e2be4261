package io.updraft.storm.context;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.utils.ObjectReader;

/**
 * The resources that the tasks of a worker share: by name, Storm's own (the thread pool) and those that worker hooks set; and
 * directories.
 */
record WorkerResources(Map<String, Object> defaults, Map<String, Object> users, TaskDirectories directories)
        implements AutoCloseable {

    /** Creates the resources of one topology. The pool starts no thread before its first job. */
    static WorkerResources of(String topologyId, Map<String, Object> conf, TaskDirectories directories) {
        int threads = ObjectReader.getInt(conf.get(Config.TOPOLOGY_WORKER_SHARED_THREAD_POOL_SIZE), 4);
        ExecutorService pool = Executors.newFixedThreadPool(threads, daemons("shared-" + topologyId + "-"));
        return new WorkerResources(
                Map.of(WorkerTopologyContext.SHARED_EXECUTOR, pool),
                Collections.synchronizedMap(new HashMap<>()),
                directories);
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return job -> {
            Thread thread = new Thread(job, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Interrupts the jobs of the pool, as Storm does at the end of a worker, and removes the directories. */
    @Override
    public void close() {
        ((ExecutorService) defaults.get(WorkerTopologyContext.SHARED_EXECUTOR)).shutdownNow();
        directories.close();
    }
}
