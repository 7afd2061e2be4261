package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.ProgramFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;

/**
 * A topology laid out on workers, from their start to their end. Each rebalance of a topology replaces its deployment by a new
 * one.
 *
 * <p>Each deployment has its own secret, control socket and incarnations. No process of an earlier deployment can join.
 */
final class Deployment implements AutoCloseable {
    private static final int SECRET_BYTES = 32;

    private final Layout layout;
    private final Coordinator coordinator;
    private final SharedByWorkers shared;

    private Deployment(Layout layout, Coordinator coordinator, SharedByWorkers shared) {
        this.layout = layout;
        this.coordinator = coordinator;
        this.shared = shared;
    }

    /**
     * Creates a deployment; no worker is started yet.
     *
     * @param layout the layout of the topology
     * @param options the caller's decisions about the topology
     * @param settings the settings with which workers are started
     * @param failures receives failures of user code of this deployment only
     * @param past the counts of earlier deployments of the topology
     * @throws InvalidTopology when the resources that workers share cannot be opened
     */
    static Deployment of(
            Layout layout, EngineOptions options, WorkerSettings settings, FailureTeller failures, Past past) {
        SharedByWorkers shared =
                SharedByWorkers.open(options.name(), layout.plan().conf(), layout.workers());
        try {
            Map<String, Object> whole = new HashMap<>(layout.plan().conf());
            whole.putAll(shared.options());
            Run run = new Run(layout.plan(), assignment(layout.plan(), whole, options, settings));
            Coordinator coordinator = new Coordinator(run, layout.commands(), settings.output(), failures, past);
            return new Deployment(layout, coordinator, shared);
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    private static Assignment assignment(
            Plan plan, Map<String, Object> conf, EngineOptions options, WorkerSettings settings) {
        ProgramFiles program = settings.program();
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new Assignment(
                options.name(),
                options.id(),
                plan.workers(),
                Utils.thriftSerialize(plan.topology()),
                JSONValue.toJSONString(conf),
                program.jar().map(Deployment::absolute).orElse(null),
                program.others().stream().map(Deployment::absolute).toList(),
                secret,
                options.seed());
    }

    private static String absolute(Path file) {
        return file.toAbsolutePath().toString();
    }

    /**
     * Starts the workers and waits until each is ready.
     *
     * @throws InvalidTopology when a worker cannot be started; no process and no file is left behind
     */
    void start() {
        try {
            coordinator.start();
        } catch (IOException e) {
            shared.close();
            throw unstarted(e);
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    /**
     * Starts the workers without waiting for them. A worker that cannot be started is tried again, like a worker that ends.
     *
     * @throws InvalidTopology when the control socket cannot be created; no process and no file is left behind
     */
    void startAnyway() {
        try {
            coordinator.startAnyway();
        } catch (IOException e) {
            shared.close();
            throw unstarted(e);
        }
    }

    private InvalidTopology unstarted(IOException e) {
        return new InvalidTopology("topology '" + layout.plan().name() + "': " + e.getMessage(), e);
    }

    Layout layout() {
        return layout;
    }

    Plan plan() {
        return layout.plan();
    }

    Coordinator coordinator() {
        return coordinator;
    }

    /** Stops workers that are starting, without waiting for them. {@link #start} fails then. */
    void cancel() {
        coordinator.cancel();
    }

    /** Stops the workers; those that do not stop within 13 seconds are killed. The last state can still be queried. */
    void stop() {
        try {
            coordinator.close();
        } finally {
            shared.close();
        }
    }

    /** Ends the coordinator's thread. The last state can still be queried. */
    @Override
    public void close() {
        coordinator.shutDown();
    }
}
