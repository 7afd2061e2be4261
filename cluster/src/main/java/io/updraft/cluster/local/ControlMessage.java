package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/** What coordinator and workers tell each other. {@link ControlCodec} writes and reads it. */
sealed interface ControlMessage {

    /**
     * Worker: the first message.
     *
     * @param worker its number in the plan
     * @param incarnation which start of that worker it is
     * @param pid its process
     */
    record Hello(int worker, long incarnation, long pid) implements ControlMessage {}

    /**
     * Worker: its engine is there, spouts inactive.
     *
     * @param address where it listens for other workers, null if there are none
     */
    record Ready(Endpoints address) implements ControlMessage {}

    /**
     * Worker: it cannot start, and exits.
     *
     * @param message one line for people
     */
    record StartFailed(String message) implements ControlMessage {}

    /**
     * Worker: the answer to {@link AskState}; with question 0, its last state before it exits.
     *
     * @param question the number of the question
     * @param snapshot its part of the topology
     */
    record State(long question, EngineSnapshot snapshot) implements ControlMessage {}

    /**
     * Worker: the answer to {@link AskQuiet}.
     *
     * @param question the number of the question
     * @param idle whether nothing is in flight within the worker
     * @param sent tuples and reports handed to other workers, in sessions that live
     * @param received tuples and reports taken from other workers, in sessions that live
     */
    record Quiet(long question, boolean idle, long sent, long received) implements ControlMessage {}

    /**
     * Worker: the answer to {@link AskSwitched}.
     *
     * @param question the number of the question
     */
    record Switched(long question) implements ControlMessage {}

    /**
     * Worker: a failure of user code. A sample of them, if there are many.
     *
     * @param report what failed
     */
    record Failed(ErrorReport report) implements ControlMessage {}

    /**
     * Worker: its engine has given up.
     *
     * @param report why
     */
    record Died(ErrorReport report) implements ControlMessage {}

    /**
     * Coordinator: the answer to {@link Hello}.
     *
     * @param name the topology's name
     * @param id the topology's id
     * @param workers number of workers
     * @param topology the topology, serialized by Thrift
     * @param conf the whole configuration, as JSON
     * @param jar the jar with the topology's classes, or null if they are on the class path
     * @param behind what lies behind the jar: jars and directories
     * @param secret by which the workers of this run know each other
     * @param seed the seed of random choices
     */
    record Assignment(
            String name,
            String id,
            int workers,
            byte[] topology,
            String conf,
            String jar,
            List<String> behind,
            byte[] secret,
            long seed)
            implements ControlMessage {}

    /**
     * Coordinator: where the workers are now; those that are down are not named.
     *
     * @param workers all that listen, the receiver included
     */
    record Peers(List<WorkerAddress> workers) implements ControlMessage {}

    /** Coordinator: ask the spouts for tuples. */
    record Activate() implements ControlMessage {}

    /** Coordinator: ask the spouts for no more tuples. */
    record Deactivate() implements ControlMessage {}

    /**
     * Coordinator: tell your state.
     *
     * @param question to be named in the answer
     */
    record AskState(long question) implements ControlMessage {}

    /**
     * Coordinator: is anything in flight?
     *
     * @param question to be named in the answer
     */
    record AskQuiet(long question) implements ControlMessage {}

    /**
     * Coordinator: what is switched while the topology runs, as it is to be now.
     *
     * @param debug what is sent to the event logger, by component, or by the topology's id
     * @param levels the levels of loggers
     */
    record Switches(Map<String, DebugOptions> debug, LogConfig levels) implements ControlMessage {
        /** Nothing was switched. */
        static final Switches NONE = new Switches(Map.of(), new LogConfig());
    }

    /**
     * Coordinator: answer when the newest {@link Switches} hold.
     *
     * @param question to be named in the answer
     */
    record AskSwitched(long question) implements ControlMessage {}

    /** Coordinator: close everything, tell your last state and exit. */
    record Stop() implements ControlMessage {}

    /**
     * Where a worker listens.
     *
     * @param worker its number in the plan
     * @param incarnation which start of that worker it is
     * @param address where
     */
    record WorkerAddress(int worker, long incarnation, Endpoints address) {}
}
