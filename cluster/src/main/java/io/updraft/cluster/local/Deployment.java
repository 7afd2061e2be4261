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
 * A topology laid out on workers, from their start to their end. A topology that is rebalanced is deployed several times, one
 * after the other.
 *
 * <p>Each has a secret, a control socket and incarnations of its own: nothing of an earlier one can join it.
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
     * Makes one; no worker is started yet.
     *
     * @param layout how it is laid out
     * @param options the caller's decisions about the topology
     * @param settings how workers are started
     * @param failures is told of failures of user code; for this one alone
     * @param past what was before
     * @throws InvalidTopology when what workers share cannot be opened
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
     * @throws InvalidTopology when one cannot be started; nothing is left behind then
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
     * Starts the workers and does not wait. Those that cannot be started are started again, as those that end are.
     *
     * @throws InvalidTopology when none of them could ever say that it is there; nothing is left behind then
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

    /** Lets workers that are being started stop; {@link #start} fails then. They are not waited for. */
    void cancel() {
        coordinator.cancel();
    }

    /** Stops the workers; those that do not stop within 13 seconds are killed. What is known of them can still be asked. */
    void stop() {
        try {
            coordinator.close();
        } finally {
            shared.close();
        }
    }

    /** Lets go of what only serves to ask. Asking is possible all the same. */
    @Override
    public void close() {
        coordinator.shutDown();
    }
}
