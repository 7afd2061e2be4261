package io.updraft.transport.ucx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A port of an RDMA device, as reported by the kernel.
 *
 * @param name device and port as UCX writes them, for example {@code mlx5_0:1}
 * @param state the port's state as the kernel writes it, for example {@code 4: ACTIVE}
 */
record RdmaPort(String name, String state) {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    /** {@return all ports of this machine; empty if it has no RDMA device} */
    static List<RdmaPort> all() {
        return in(DEVICES);
    }

    static List<RdmaPort> in(Path devices) {
        List<RdmaPort> ports = new ArrayList<>();
        for (Path device : children(devices)) {
            for (Path port : children(device.resolve("ports"))) {
                ports.add(new RdmaPort(device.getFileName() + ":" + port.getFileName(), read(port.resolve("state"))));
            }
        }
        return ports;
    }

    boolean isActive() {
        return state.contains("ACTIVE");
    }

    private static List<Path> children(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException | UncheckedIOException gone) {
            // A device that disappears during the listing counts as absent.
            return List.of();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
