package io.updraft.console.cluster;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.console.Console;
import io.updraft.console.access.UiSettings;
import io.updraft.observe.history.Histories;
import io.updraft.rest.NimbusSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.thrift.TException;

/** The console of a Storm cluster. */
public final class ClusterConsole implements AutoCloseable {
    /** The limit of connecting to Nimbus, and of each call of it. */
    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** How long a page waits for an answer of Nimbus before it shows that there is none. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ClusterState state;
    private final Console console;

    private ClusterConsole(ClusterState state, Console console) {
        this.state = state;
        this.console = console;
    }

    /**
     * Opens the console.
     *
     * @param nimbus where the cluster is
     * @param settings where the console listens, and for whom
     * @param conf the configuration that may name a file with passwords
     * @param lines takes the lines for the user: the address, and warnings
     * @return the open console
     * @throws UserError when no Nimbus answers or the port cannot be opened
     */
    public static ClusterConsole open(
            NimbusSeeds nimbus, UiSettings settings, Map<String, Object> conf, Consumer<String> lines) {
        NimbusCaller caller = new NimbusCaller(nimbus);
        ClusterSummary first = first(caller);
        Histories histories = new Histories();
        ClusterState state = new ClusterState(caller, first, histories, PATIENCE);
        Console.Content content = new Console.Content(
                "cluster",
                "Storm cluster " + nimbus.address(),
                ClusterRequests.handlers(state, histories),
                sessions(nimbus, caller),
                null);
        try {
            return new ClusterConsole(state, Console.open(settings, conf, content, lines));
        } catch (IOException e) {
            state.close();
            throw new UserError("ui: " + e.getMessage(), e);
        }
    }

    /** Gives each request of the REST API a connection of its own. */
    private static NimbusSource sessions(NimbusSeeds nimbus, NimbusCaller caller) {
        return new NimbusSource() {
            @Override
            public <T> T call(NimbusCall<T> call) throws Exception {
                NimbusOpener.Connection open;
                try {
                    open = nimbus.open();
                } catch (TException e) {
                    throw caller.failure(e);
                }
                try (open) {
                    return call.on(open.nimbus());
                }
            }
        };
    }

    private static ClusterSummary first(NimbusCaller caller) {
        try {
            return caller.read(new ClusterCalls.Cluster());
        } catch (IOException | IllegalArgumentException e) {
            throw new UserError(ExitCode.FAILED, "ui: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        console.close();
        state.close();
    }
}
