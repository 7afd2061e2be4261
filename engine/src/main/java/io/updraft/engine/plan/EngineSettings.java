package io.updraft.engine.plan;

import io.updraft.base.conf.ConfReader;
import java.util.Map;
import org.apache.storm.Config;

/**
 * The configuration as the engine uses it: parsed, checked and in one unit.
 *
 * @param loops number of event loops
 * @param acking whether tuple trees are tracked ({@code topology.acker.executors} is not 0)
 * @param timeouts whether trees time out ({@code topology.enable.message.timeouts})
 * @param timeoutNanos age at which a tuple tree fails, nanoseconds ({@code topology.message.timeout.secs})
 * @param onError the reaction to an exception of user code ({@code updraft.on.error})
 * @param maxReplays replays of one message; with one failure more it is dead-lettered; 0 for never ({@code updraft.max.replays})
 * @param deadLetterFile file for dead letters, or null ({@code updraft.dead.letter.file})
 * @param keptDeadLetters newest dead letters kept in memory to be replayed ({@code updraft.dead.letters.kept})
 * @param queueHighWater tuples queued for one executor at which back-pressure begins at the latest; for a slow executor it
 *     begins earlier ({@code updraft.queue.high.water})
 * @param rebalance whether executors move between loops according to the load ({@code updraft.rebalance})
 * @param idle what loops do that have little work ({@code updraft.idle})
 */
public record EngineSettings(
        int loops,
        boolean acking,
        boolean timeouts,
        long timeoutNanos,
        OnError onError,
        int maxReplays,
        String deadLetterFile,
        int keptDeadLetters,
        int queueHighWater,
        boolean rebalance,
        Idle idle) {

    /** Number of event loops of a worker; default: the number of cores. */
    public static final String LOOPS = "updraft.loops";

    /** {@code restart}, {@code fail-tuple} or {@code die}; default {@code restart}. */
    public static final String ON_ERROR = "updraft.on.error";

    /** Replays of one message; with one failure more it is dead-lettered. Default 0, never. */
    public static final String MAX_REPLAYS = "updraft.max.replays";

    /** File to which dead letters are appended, one JSON object a line; default none. */
    public static final String DEAD_LETTER_FILE = "updraft.dead.letter.file";

    /** Newest dead letters that a process keeps in memory to be replayed; default 1000, 0 for none. */
    public static final String KEPT_DEAD_LETTERS = "updraft.dead.letters.kept";

    /** Tuples queued for one executor at which back-pressure begins at the latest; default 2048. */
    public static final String QUEUE_HIGH_WATER = "updraft.queue.high.water";

    /** Whether executors move between loops according to the load; default true. */
    public static final String REBALANCE = "updraft.rebalance";

    /** {@code balanced} or {@code latency}; default {@code balanced}. */
    public static final String IDLE = "updraft.idle";

    private static final int DEFAULT_HIGH_WATER = 2048;
    private static final int DEFAULT_KEPT_LETTERS = 1000;
    private static final int DEFAULT_TIMEOUT_SECS = 30;

    /** The reaction to an exception thrown by a component, besides failing the tuple and reporting the exception. */
    public enum OnError {
        /** Replaces the instance that threw by a new one. */
        RESTART,
        /** No further reaction: the instance continues. */
        FAIL_TUPLE,
        /** Ends the topology. In Storm the worker would end. */
        DIE
    }

    /** What an event loop does that has little work. */
    public enum Idle {
        /** Sleeps while that costs at most some 300 microseconds of latency. */
        BALANCED,
        /** Spins while messages arrive at least every ten microseconds or so, and uses a core for it. */
        LATENCY,
        /** Never spins, and asks spouts once a millisecond when they have nothing: for few and large messages. */
        SAVING
    }

    /**
     * {@return the settings}
     *
     * @param conf the whole configuration
     * @throws InvalidTopology when a value is not valid; the message names the key, the value and the allowed values
     */
    public static EngineSettings of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf, InvalidTopology::new);
        int cores = Runtime.getRuntime().availableProcessors();
        int timeoutSecs = reader.integer(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, DEFAULT_TIMEOUT_SECS, 1);
        return new EngineSettings(
                reader.integer(LOOPS, cores, 1),
                reader.integer(Config.TOPOLOGY_ACKER_EXECUTORS, 1, 0) > 0,
                reader.flag(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true),
                timeoutSecs * 1_000_000_000L,
                reader.constant(ON_ERROR, OnError.RESTART),
                reader.integer(MAX_REPLAYS, 0, 0),
                deadLetterFile(conf),
                reader.integer(KEPT_DEAD_LETTERS, DEFAULT_KEPT_LETTERS, 0),
                reader.integer(QUEUE_HIGH_WATER, DEFAULT_HIGH_WATER, 1),
                reader.flag(REBALANCE, true),
                reader.constant(IDLE, Idle.BALANCED));
    }

    /**
     * Reads the number of workers that a topology requests ({@code topology.workers}). Only code that starts workers reads
     * this; the embedded engine always has one worker.
     *
     * @param conf the whole configuration
     * @return number of workers, at least 1
     * @throws InvalidTopology when the value is not valid
     */
    public static int workers(Map<String, Object> conf) {
        return new ConfReader(conf, InvalidTopology::new).integer(Config.TOPOLOGY_WORKERS, 1, 1);
    }

    private static String deadLetterFile(Map<String, Object> conf) {
        Object value = conf.get(DEAD_LETTER_FILE);
        if (value != null && !(value instanceof String)) {
            throw new InvalidTopology(DEAD_LETTER_FILE + " is '" + value + "': it must be the name of a file");
        }
        return (String) value;
    }
}
