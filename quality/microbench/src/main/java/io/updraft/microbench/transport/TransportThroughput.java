package io.updraft.microbench.transport;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the cost of transporting a byte. One thread sends messages of one length as fast as the transport accepts them,
 * another thread receives them. Each thread has its own transport, over loopback.
 *
 * <pre>
 *   thread 1: fill, offer(head, body) ─► transport ─► loopback ─► transport ─► check: thread 2
 * </pre>
 *
 * <p>CPU time is that of the whole process, including the kernel and the transports' threads. On a machine that others use, CPU
 * times are comparable, but rates are not. The receiver checks the number and length of each message. JMH is not used, because
 * the time of a call does not matter.
 *
 * <p>Arguments have the form {@code key=value}. The keys {@code transports} (a list of {@code netty}, {@code zeromq}, {@code
 * aeron} and {@code ucx}), {@code bytes} and {@code rounds} configure the benchmark. All other keys are transport
 * configuration.
 */
public final class TransportThroughput {

    private static final List<String> LENGTHS = List.of("64", "1024", "65536", "262144");

    /** For each round: enough that it takes tenths of a second. */
    private static final long BYTES_OF_ROUND = 1L << 30;

    private static final long MOST_OF_ROUND = 4_000_000;

    private TransportThroughput() {}

    /**
     * Measures and prints one line for each round.
     *
     * @param args see the class
     * @throws Exception when a transport cannot be had, or does not carry what it was given
     */
    public static void main(String[] args) throws Exception {
        Map<String, Object> conf = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            conf.put(pair[0], pair[1].matches("\\d+") ? (Object) Long.valueOf(pair[1]) : pair[1]);
        }
        List<String> transports = list(conf.remove("transports"), List.of("netty", "zeromq", "aeron", "ucx"));
        List<String> lengths = list(conf.remove("bytes"), LENGTHS);
        int rounds = ((Number) conf.getOrDefault("rounds", 3L)).intValue();
        conf.remove("rounds");
        System.out.println(Cost.HEADER);
        for (String name : transports) {
            for (String length : lengths) {
                measure(name, Integer.parseInt(length), rounds, conf);
            }
        }
        System.exit(0); // whatever threads a native library has left
    }

    private static List<String> list(Object value, List<String> otherwise) {
        return value == null ? otherwise : List.of(value.toString().split(","));
    }

    private static void measure(String name, int length, int rounds, Map<String, Object> conf) throws Exception {
        long messages = Math.min(MOST_OF_ROUND, Math.max(1, BYTES_OF_ROUND / length));
        try (Party receiver = new Party(transport(name, conf));
                Party sender = new Party(transport(name, conf))) {
            Sink sink = new Sink(length);
            Source source = new Source(length);
            Address at = receiver.call(transport ->
                    transport.bind(new Address("127.0.0.1", 0), () -> sink).address());
            sender.call(transport -> {
                transport.connect(at, source);
                return null;
            });
            sender.until(source::isOpen);
            String title = sender.call(Transport::description);
            for (int round = 0; round <= rounds; round++) {
                long all = (round + 1) * messages;
                Cost before = Cost.now();
                sender.call(transport -> source.sendUpTo(all));
                receiver.until(() -> sink.has(all));
                // The first is for the compiler.
                System.out.println(
                        before.until(Cost.now()).line(title + (round == 0 ? ", warm-up" : ""), length, messages));
            }
        }
    }

    private static Transport transport(String name, Map<String, Object> conf) throws TransportException {
        return Transports.create(name, TransportOptions.of(conf));
    }
}
