package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.process.JvmUsage;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/** A message between coordinator and worker. {@link ControlCodec} encodes and decodes it. */
sealed interface ControlMessage {
    /**
     * From a worker: the first message.
     *
     * @param pid the process id of the worker
     */
    record Hello(int worker, long incarnation, long pid) implements ControlMessage {}

    /**
     * From a worker: its engine is created, with inactive spouts.
     *
     * @param address the addresses on which the worker listens for other workers; null if there are none
     */
    record Started(Endpoints address) implements ControlMessage {}

    /**
     * From a worker: it cannot start, and exits.
     *
     * @param message the reason, on one readable line
     */
    record StartFailed(String message) implements ControlMessage {}

    /**
     * From a worker: the answer to {@link AskState}; with question 0, its last state before it exits.
     *
     * @param snapshot the worker's part of the topology
     * @param usage what the worker's process uses
     */
    record StateReport(long question, EngineSnapshot snapshot, JvmUsage usage, boolean heapFull, HeapHolder holder)
            implements ControlMessage {}

    /**
     * From a worker: the answer to {@link AskIdle}.
     *
     * @param idle whether nothing is in flight within the worker
     * @param sent frames handed to other workers, over the open sessions; see {@link io.updraft.cluster.link.Traffic}
     * @param received frames taken from other workers, over the open sessions
     */
    record IdleReport(long question, boolean idle, long sent, long received) implements ControlMessage {}

    /** From a worker: the answer to {@link AskSettingsApplied}. */
    record SettingsApplied(long question) implements ControlMessage {}

    /** From a worker: a failure of user code. If there are many failures, the worker reports a sample. */
    record UserCodeFailed(ErrorReport report) implements ControlMessage {}

    /** From a worker: its engine has stopped because of a failure. */
    record EngineFailed(ErrorReport report, HeapHolder holder) implements ControlMessage {}

    /**
     * From the coordinator: the answer to {@link Hello}.
     *
     * @param topology the topology, serialized by Thrift
     * @param conf the whole configuration, as JSON
     * @param jar the jar with the topology's classes, or null if they are on the class path
     * @param behind the class path entries after the jar: jars and directories
     * @param secret the secret by which the workers of this run authenticate each other
     * @param seed the seed of random choices
     */
    record WorkerAssignment(
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
     * From the coordinator: the current addresses of the workers. Workers that are down are not listed.
     *
     * @param workers all workers that listen, including the receiver
     */
    record Peers(List<PeerAddress> workers) implements ControlMessage {}

    /** From the coordinator: request tuples from the spouts. */
    record Activate() implements ControlMessage {}

    /** From the coordinator: stop requesting tuples from the spouts. */
    record Deactivate() implements ControlMessage {}

    /**
     * From the coordinator: send your state.
     *
     * @param question the number of the question, returned in the answer
     */
    record AskState(long question) implements ControlMessage {}

    /**
     * From the coordinator: report whether anything is in flight.
     *
     * @param question the number of the question, returned in the answer
     */
    record AskIdle(long question) implements ControlMessage {}

    /**
     * From the coordinator: the settings that can change while the topology runs.
     *
     * @param debug the sampling for the event logger, by component, or by the topology's id
     */
    record LiveConfig(Map<String, DebugOptions> debug, LogConfig levels) implements ControlMessage {
        /** No setting was changed. */
        public static final LiveConfig NONE = new LiveConfig(Map.of(), new LogConfig());
    }

    /**
     * From the coordinator: answer when the newest {@link LiveConfig} are in effect.
     *
     * @param question the number of the question, returned in the answer
     */
    record AskSettingsApplied(long question) implements ControlMessage {}

    /** From the coordinator: close everything, send your last state and exit. */
    record Stop() implements ControlMessage {}

    /**
     * From the coordinator: replay dead letters, and send those that you keep.
     *
     * @param question the number of the question, returned in the answer
     * @param replay the numbers of the letters to replay, of this worker and of others
     */
    record AskDeadLetters(long question, boolean all, List<Long> replay) implements ControlMessage {}

    /**
     * From a worker: the answer to {@link AskDeadLetters}.
     *
     * @param letters the newest letters, oldest first
     * @param replayed the numbers of the letters that are replayed by this order
     * @param refusal why the order was refused; null if it was not
     */
    record DeadLetterReport(long question, List<LetterRecord> letters, List<Long> replayed, String refusal)
            implements ControlMessage {}

    /**
     * From a worker, without a question: its coordinator shows the letters when the worker has ended.
     *
     * @param letters the letters that are new or have changed since the last message, oldest first
     */
    record DeadLettersChanged(List<LetterRecord> letters) implements ControlMessage {}
}
