package io.updraft.storm;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.storm.context.LinkedBlobs;
import io.updraft.storm.context.TopologyContexts;
import io.updraft.storm.instrument.Instruments;
import io.updraft.storm.instrument.SystemComponents;
import io.updraft.storm.program.TopologyClasspath;
import io.updraft.storm.text.FailureMessages;
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
import org.apache.storm.validation.ConfigValidation;

/**
 * One topology being submitted: the checks and changes that Nimbus makes before it starts a topology. {@code whenGone} runs
 * when nothing is left of the topology, if it was started.
 */
record TopologySubmission(
        String name,
        String id,
        Map<String, Object> conf,
        StormTopology topology,
        SubmitOptions options,
        Runnable whenGone) {

    void check() throws InvalidTopologyException {
        if (!Utils.isValidConf(conf)) {
            throw new IllegalArgumentException("the configuration of topology '" + name
                    + "' cannot be written as JSON: use only strings, numbers, booleans, lists and maps");
        }
        try {
            Utils.validateTopologyName(name);
            ConfigValidation.validateTopoConf(conf);
        } catch (IllegalArgumentException e) {
            throw FailureMessages.refusal(e.getMessage(), e);
        }
        if (options == null) {
            throw FailureMessages.refusal("topology '" + name + "' was submitted without options (null)", null);
        }
    }

    /**
     * Starts the topology, active or inactive as the options say. If {@code enter}, which receives it, throws, the topology
     * ends.
     */
    void start(Map<String, Object> base, ClusterSettings settings, Consumer<EmbeddedTopology> enter)
            throws InvalidTopologyException {
        Map<String, Object> own = normalizedConf();
        Map<String, Object> whole = new HashMap<>(base);
        whole.putAll(own);
        whole.putAll(KryoRegistrations.of(topology, whole));
        StormTopology started;
        LinkedBlobs blobs;
        try {
            Instruments.check(whole, Thread.currentThread().getContextClassLoader());
            TopologyClasspath.addTo(Thread.currentThread().getContextClassLoader(), whole);
            started = SystemComponents.addTo(Utils.addVersions(topology), whole);
            blobs = LinkedBlobs.place(whole);
        } catch (IllegalArgumentException e) {
            throw FailureMessages.refusal("topology '" + name + "': " + e.getMessage(), e);
        }
        TopologyContexts contexts = new TopologyContexts();
        AtomicReference<TopologyEngine> engine = new AtomicReference<>();
        try {
            contexts.setCredentials(credentials());
            engine.set(settings.engines().start(started, whole, engineOptions(contexts, settings)));
            prepare(engine.get(), contexts);
            enter.accept(run(own, engine.get(), contexts, () -> {
                blobs.close();
                whenGone.run();
            }));
        } catch (InvalidTopology e) {
            undo(engine.get(), contexts, blobs, e);
            throw FailureMessages.refusal(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            undo(engine.get(), contexts, blobs, e);
            throw e;
        }
    }

    private EmbeddedTopology run(
            Map<String, Object> own, TopologyEngine engine, TopologyContexts contexts, Runnable release) {
        EmbeddedTopology running = new EmbeddedTopology(name, id, topology, own, engine, contexts, release);
        if (options.get_initial_status() != TopologyInitialStatus.INACTIVE) {
            running.activate();
        }
        return running;
    }

    /** Closes everything that was started. Further failures are added to the first one. */
    private static void undo(TopologyEngine engine, TopologyContexts contexts, LinkedBlobs blobs, Throwable why) {
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

    /** Starts what components expect of a worker before they are opened. Workers in other processes do that themselves. */
    private void prepare(TopologyEngine engine, TopologyContexts contexts) {
        if (!(engine instanceof RemoteEngine)) {
            try {
                contexts.start(engine.plan());
            } catch (RuntimeException e) {
                throw new InvalidTopology("topology '" + name + "': " + e.getMessage(), e);
            }
        } else if (!credentials().isEmpty()) {
            throw new InvalidTopology("topology '" + name
                    + "' has credentials, which components in worker processes do not receive;"
                    + " submit it without credentials, or run it without --workers");
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

    /**
     * Returns the configuration as Nimbus receives it, with JSON's types, and with the settings that Nimbus adds and removes.
     */
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
}
