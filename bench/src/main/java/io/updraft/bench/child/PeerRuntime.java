package io.updraft.bench.child;

import io.updraft.bench.spec.Shape;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the job that another stream processor has in place of one of the bench's topologies, in this JVM. The job's tasks count
 * with the probes of {@link io.updraft.bench.topology.BenchRunState}, under the ids of the topology's components. An
 * implementation has a public constructor without parameters. Used by one thread, for one job.
 */
public interface PeerRuntime {

    /**
     * Starts the job. Its sources end when {@link io.updraft.bench.topology.BenchRunState#isQuiet} returns true, and the
     * job ends after them.
     *
     * @param runId the run's id, which tasks pass to {@link io.updraft.bench.topology.BenchRunState#of}
     * @param shape the topology's shape; a job has the text of the shape, and no tracking or parallelism of it
     * @param conf the runtime's configuration
     * @return completes when the job has ended, exceptionally when the job failed; results may be read then
     * @throws Exception when the job cannot be started
     */
    CompletableFuture<?> start(String runId, Shape shape, Map<String, Object> conf) throws Exception;
}
