package io.updraft.engine.plan;

import java.util.Locale;
import java.util.Map;
import org.apache.storm.Config;

/**
 * The configuration as the engine uses it: parsed, checked and in one unit.
 *
 * @param loops number of event loops
 * @param acking whether tuple trees are tracked ({@code topology.acker.executors} is not 0)
 * @param timeouts whether trees time out ({@code topology.enable.message.timeouts})
 * @param timeoutNanos age at which a tree fails, nanoseconds ({@code topology.message.timeout.secs})
 * @param onError what an exception of user code does ({@code updraft.on.error})
 * @param maxReplays failures of one message after which it is dead-lettered, 0 for never ({@code updraft.max.replays})
 * @param deadLetterFile file for dead letters, or null ({@code updraft.dead.letter.file})
 * @param queueHighWater tuples queued for one executor at which it holds back what is upstream, at the most; a slow one
 *     does so earlier ({@code updraft.queue.high.water})
 * @param rebalance whether executors move between loops as load shows ({@code updraft.rebalance})
 */
public record Settings(
        int loops,
        boolean acking,
        boolean timeouts,
        long timeoutNanos,
        OnError onError,
        int maxReplays,
        String deadLetterFile,
        int queueHighWater,
        boolean rebalance) {

    /** Number of event loops of a worker; default: the cores. */
    public static final String LOOPS = "updraft.loops";

    /** {@code restart}, {@code fail-tuple} or {@code die}; default {@code restart}. */
    public static final String ON_ERROR = "updraft.on.error";

    /** Failures of one message after which it is dead-lettered; default 0, never. */
    public static final String MAX_REPLAYS = "updraft.max.replays";

    /** File to which dead letters are appended, one JSON object a line; default none. */
    public static final String DEAD_LETTER_FILE = "updraft.dead.letter.file";

    /** Most tuples queued for one executor before it holds back what is upstream; default 2048. */
    public static final String QUEUE_HIGH_WATER = "updraft.queue.high.water";

    /** Whether executors move between loops as load shows; default true. */
    public static final String REBALANCE = "updraft.rebalance";

    private static final int DEFAULT_HIGH_WATER = 2048;
    private static final int DEFAULT_TIMEOUT_SECS = 30;

    /** What an exception thrown by a component does, beside failing the tuple and being reported. */
    public enum OnError {
        /** Ends the topology, as in Storm the worker ends. */
        DIE,
        /** Rebuilds the instance that threw. */
        RESTART,
        /** Nothing: the instance goes on. */
        FAIL_TUPLE
    }

    /**
     * Reads the configuration.
     *
     * @param conf the whole configuration
     * @return the settings
     * @throws InvalidTopology when a value makes no sense; the message names the key, the value and what is expected
     */
    public static Settings of(Map<String, Object> conf) {
        int cores = Runtime.getRuntime().availableProcessors();
        int timeoutSecs = Conf.integer(conf, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, DEFAULT_TIMEOUT_SECS, 1);
        return new Settings(
                Conf.integer(conf, LOOPS, cores, 1),
                Conf.integer(conf, Config.TOPOLOGY_ACKER_EXECUTORS, 1, 0) > 0,
                Conf.bool(conf, Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true),
                timeoutSecs * 1_000_000_000L,
                onError(conf),
                Conf.integer(conf, MAX_REPLAYS, 0, 0),
                deadLetterFile(conf),
                Conf.integer(conf, QUEUE_HIGH_WATER, DEFAULT_HIGH_WATER, 1),
                Conf.bool(conf, REBALANCE, true));
    }

    /**
     * Reads how many workers a topology asks for ({@code topology.workers}). Only what starts workers looks at it: embedded,
     * there is one.
     *
     * @param conf the whole configuration
     * @return number of workers, at least 1
     * @throws InvalidTopology when the value makes no sense
     */
    public static int workers(Map<String, Object> conf) {
        return Conf.integer(conf, Config.TOPOLOGY_WORKERS, 1, 1);
    }

    private static String deadLetterFile(Map<String, Object> conf) {
        Object value = conf.get(DEAD_LETTER_FILE);
        if (value != null && !(value instanceof String)) {
            throw new InvalidTopology(DEAD_LETTER_FILE + " is '" + value + "': it must be the name of a file");
        }
        return (String) value;
    }

    private static OnError onError(Map<String, Object> conf) {
        Object value = conf.get(ON_ERROR);
        if (value == null) {
            return OnError.RESTART;
        }
        return switch (String.valueOf(value).toLowerCase(Locale.ROOT)) {
            case "die" -> OnError.DIE;
            case "restart" -> OnError.RESTART;
            case "fail-tuple" -> OnError.FAIL_TUPLE;
            default ->
                throw new InvalidTopology(
                        ON_ERROR + " is '" + value + "': it must be 'restart', 'fail-tuple' or 'die'");
        };
    }
}
