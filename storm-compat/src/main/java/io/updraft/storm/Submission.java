package io.updraft.storm;

import io.updraft.engine.TopologyEngine;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.storm.instrument.Instruments;
import io.updraft.storm.instrument.SystemComponents;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.validation.ConfigValidation;

/**
 * One topology on its way in: what Nimbus does between receiving it and starting it.
 *
 * @param name the topology's name
 * @param id its id
 * @param conf the program's configuration
 * @param topology what to run
 * @param options Storm's options; null is refused by {@link #check()}
 * @param whenGone run when nothing is left of a topology that was started
 */
record Submission(
        String name,
        String id,
        Map<String, Object> conf,
        StormTopology topology,
        SubmitOptions options,
        Runnable whenGone) {

    /**
     * Checks the submission as Nimbus would.
     *
     * @throws InvalidTopologyException when the name, a setting or an option is refused
     * @throws IllegalArgumentException when the configuration cannot be written as JSON
     */
    void check() throws InvalidTopologyException {
        if (!Utils.isValidConf(conf)) {
            throw new IllegalArgumentException("the configuration of topology '" + name
                    + "' cannot be written as JSON: give it only strings, numbers, booleans, lists and maps");
        }
        try {
            Utils.validateTopologyName(name);
            ConfigValidation.validateTopoConf(conf);
        } catch (IllegalArgumentException e) {
            throw refusal(e.getMessage(), e);
        }
        if (options == null) {
            throw refusal("topology '" + name + "' was submitted with null options", null);
        }
    }

    /**
     * Starts the topology, active or not as the options say.
     *
     * @param base configuration beneath the program's
     * @param settings the cluster's decisions
     * @param enter takes it in when it runs; what it throws is thrown, and nothing is left
     * @throws InvalidTopologyException when the engine cannot plan it
     */
    void start(Map<String, Object> base, ClusterSettings settings, Consumer<RunningTopology> enter)
            throws InvalidTopologyException {
        Map<String, Object> own = normalizedConf();
        Map<String, Object> whole = new HashMap<>(base);
        whole.putAll(own);
        whole.putAll(Serializations.of(topology, whole));
        StormTopology started;
        Blobs blobs;
        try {
            Instruments.check(whole, Thread.currentThread().getContextClassLoader());
            TopologyClasspath.addTo(Thread.currentThread().getContextClassLoader(), whole);
            started = SystemComponents.addTo(Utils.addVersions(topology), whole);
            blobs = Blobs.place(whole);
        } catch (IllegalArgumentException e) {
            throw refusal("topology '" + name + "': " + e.getMessage(), e);
        }
        TopologyContexts contexts = new TopologyContexts();
        AtomicReference<TopologyEngine> engine = new AtomicReference<>();
        try {
            contexts.credentials().set(credentials());
            engine.set(settings.engines().start(started, whole, engineOptions(contexts, settings)));
            prepare(engine.get(), contexts);
            enter.accept(run(own, engine.get(), contexts, () -> {
                blobs.close();
                whenGone.run();
            }));
        } catch (InvalidTopology e) {
            undo(engine.get(), contexts, blobs, e);
            throw refusal(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            undo(engine.get(), contexts, blobs, e);
            throw e;
        }
    }

    private RunningTopology run(
            Map<String, Object> own, TopologyEngine engine, TopologyContexts contexts, Runnable release) {
        RunningTopology running = new RunningTopology(name, id, topology, own, engine, contexts, release);
        if (options.get_initial_status() != TopologyInitialStatus.INACTIVE) {
            running.activate();
        }
        return running;
    }

    /** Ends what was begun, whatever of it fails. */
    private static void undo(TopologyEngine engine, TopologyContexts contexts, Blobs blobs, Throwable why) {
        for (AutoCloseable each : Arrays.asList(engine, contexts, blobs)) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception | Error e) {
                why.addSuppressed(e);
            }
        }
    }

    /** Has the topology what a worker has before it has components; workers elsewhere see to that themselves. */
    private void prepare(TopologyEngine engine, TopologyContexts contexts) {
        if (!(engine instanceof RemoteEngine)) {
            try {
                contexts.start(engine.plan());
            } catch (RuntimeException e) {
                throw new InvalidTopology("topology '" + name + "': " + e.getMessage(), e);
            }
        } else if (!credentials().isEmpty()) {
            throw new InvalidTopology("topology '" + name
                    + "' comes with credentials, which are not handed to components in worker processes;"
                    + " submit it without, or run it without --workers");
        }
    }

    private Map<String, String> credentials() {
        return options.is_set_creds() ? options.get_creds().get_creds() : Map.of();
    }

    private EngineOptions engineOptions(TopologyContexts contexts, ClusterSettings settings) {
        return new EngineOptions(
                name,
                id,
                contexts,
                settings.clock(),
                settings.seed(),
                error -> settings.onError().accept(name, error),
                death -> settings.onDeath().accept(name, death));
    }

    /** The configuration as it arrives at Nimbus, JSON's types included, with what Nimbus adds and takes away. */
    private Map<String, Object> normalizedConf() {
        Map<String, Object> normal = new HashMap<>(Utils.parseJson(JSONValue.toJSONString(conf)));
        normal.put(Config.STORM_ID, id);
        normal.put(Config.TOPOLOGY_NAME, name);
        normal.put(Config.TOPOLOGY_SUBMITTER_PRINCIPAL, "");
        normal.put(Config.TOPOLOGY_SUBMITTER_USER, System.getProperty("user.name"));
        normal.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_SCHEME);
        normal.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        return normal;
    }

    private static InvalidTopologyException refusal(String message, Throwable cause) {
        InvalidTopologyException refusal = new WrappedInvalidTopologyException(message);
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }
}
