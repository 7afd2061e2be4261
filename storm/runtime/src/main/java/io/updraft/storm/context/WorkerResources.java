package io.updraft.storm.context;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.run.InheritedSubject;
import io.updraft.storm.component.ShellResources;
import io.updraft.storm.program.ProgramFiles;
import io.updraft.storm.program.TemporaryDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
        return job -> DaemonThreads.create(prefix + number.incrementAndGet(), InheritedSubject.of(job));
    }

    /** Interrupts the jobs of the pool, as Storm does at the end of a worker, and removes the directories. */
    @Override
    public void close() {
        ((ExecutorService) defaults.get(WorkerTopologyContext.SHARED_EXECUTOR)).shutdownNow();
        directories.close();
    }

    /**
     * The directories that Storm provides to the tasks of a worker. Most topologies never use them. Each directory is therefore
     * created on its first use, and {@link #close()} removes all of them.
     *
     * <p>Safe to use from any thread.
     */
    static final class TaskDirectories implements AutoCloseable {
        private final TemporaryDirectories created = new TemporaryDirectories();
        private final ClassLoader loader;
        private final Optional<WorkerPlace.Slot> slot;
        private boolean filled;

        /** Creates the directories of a worker, some of which its Supervisor has prepared if it has a slot in a cluster. */
        TaskDirectories(ClassLoader loader, Optional<WorkerPlace.Slot> slot) {
            this.loader = loader;
            this.slot = slot;
        }

        /**
         * Returns the directory of the topology's external resources (Storm's {@code resources} directory), including those of its
         * jar.
         */
        synchronized String code() {
            if (slot.isPresent()) {
                return slot.get().resources().toString();
            }
            String directory = directory("resources");
            if (!filled) {
                try {
                    ShellResources.copy(ProgramFiles.of(loader).jar(), loader, Path.of(directory));
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot copy the topology's resources: " + e.getMessage(), e);
                }
                filled = true;
            }
            return directory;
        }

        /** Returns the directory for the process ids of subprocesses that serve the whole worker. */
        String pids() {
            return slot.map(given -> given.pids().toString()).orElseGet(() -> directory("pids"));
        }

        /**
         * Returns the directory for the process id of a task's subprocess: one directory for each task, which identifies the task.
         */
        String pids(int task) {
            return directory("pids/" + task);
        }

        private String directory(String name) {
            return created.directory(name).toString();
        }

        @Override
        public void close() {
            created.close();
        }
    }
}
