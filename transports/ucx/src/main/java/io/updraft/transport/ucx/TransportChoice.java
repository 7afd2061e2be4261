package io.updraft.transport.ucx;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The UCX transports that carry the messages. UCX would choose silently among all it finds. Here the choice is made before UCX
 * starts, and UCX is restricted to it, so that the description is accurate.
 *
 * @param tls value of {@code UCX_TLS}
 * @param rdma whether an RDMA device carries the messages
 * @param warning one line if RDMA was requested and is not used
 */
record TransportChoice(String tls, String description, boolean rdma, Optional<String> warning) {

    /** Memory that UCX's receive queues, send queues and our slabs lock, bytes, rounded up generously. */
    static final long LEAST_LOCKED = 128L << 20;

    private static final Set<String> RDMA =
            Set.of("rc rc_v rc_verbs rc_x rc_mlx5 ud ud_v ud_verbs ud_x ud_mlx5 dc dc_x dc_mlx5 ib".split(" "));

    // UCX negotiates shared memory over TCP, and uses TCP if the peer is on another host.
    private static final String SHARED = "posix,tcp";
    private static final String SHARED_TEXT = "shared memory (posix) within this host, tcp beyond";

    /**
     * Chooses the transports.
     *
     * @param lockable bytes that this process may lock
     */
    static TransportChoice choose(String setting, List<RdmaPort> ports, long lockable) {
        return switch (setting) {
            case "tcp" -> new TransportChoice("tcp", "tcp", false, Optional.empty());
            case "shm" -> shared(Optional.empty());
            case "auto" -> obstacle(ports, lockable).isPresent() ? automatic(ports, lockable) : rdma("rc,posix", ports);
            default -> listed(setting, ports, lockable);
        };
    }

    /** {@return the choice without RDMA, after RDMA failed} */
    TransportChoice withoutRdma(String setting, String reason) {
        return shared(Optional.of(refusal(setting, reason)));
    }

    private static TransportChoice automatic(List<RdmaPort> ports, long lockable) {
        boolean present = ports.stream().anyMatch(RdmaPort::isActive);
        return shared(present ? obstacle(ports, lockable).map(reason -> refusal("auto", reason)) : Optional.empty());
    }

    private static TransportChoice listed(String setting, List<RdmaPort> ports, long lockable) {
        if (List.of(setting.split(",")).stream().noneMatch(RDMA::contains)) {
            return new TransportChoice(setting, setting + ", as configured", false, Optional.empty());
        }
        return obstacle(ports, lockable)
                .map(reason -> shared(Optional.of(refusal(setting, reason))))
                .orElseGet(() -> rdma(setting, ports));
    }

    private static TransportChoice rdma(String tls, List<RdmaPort> ports) {
        String devices =
                ports.stream().filter(RdmaPort::isActive).map(RdmaPort::name).collect(Collectors.joining(" "));
        String text = tls.equals("rc,posix")
                ? "shared memory (posix) within this host, RDMA (rc) on " + devices + " beyond"
                : "RDMA (" + tls + ") on " + devices;
        return new TransportChoice(tls, text, true, Optional.empty());
    }

    private static TransportChoice shared(Optional<String> warning) {
        String text = warning.map(reason -> SHARED_TEXT + "; " + reason).orElse(SHARED_TEXT);
        return new TransportChoice(SHARED, text, false, warning);
    }

    /** Returns why RDMA cannot be used here; empty if it can. */
    private static Optional<String> obstacle(List<RdmaPort> ports, long lockable) {
        if (ports.isEmpty()) {
            return Optional.of("this machine has no RDMA device (/sys/class/infiniband is empty)");
        }
        if (ports.stream().noneMatch(RdmaPort::isActive)) {
            return Optional.of("no port of an RDMA device is active: " + ports);
        }
        return lockable >= LEAST_LOCKED
                ? Optional.empty()
                : Optional.of("this process may lock only " + (lockable >> 10) + " KiB of memory, but RDMA needs "
                        + (LEAST_LOCKED >> 20) + " MiB (raise it: ulimit -l unlimited)");
    }

    private static String refusal(String setting, String reason) {
        return "RDMA (" + setting + ") was requested but is NOT used: " + reason;
    }
}
