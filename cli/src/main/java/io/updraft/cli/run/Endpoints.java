package io.updraft.cli.run;

import io.updraft.cli.access.UiSettings;
import io.updraft.cli.console.Console;
import io.updraft.cli.operator.RunSockets;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where operators reach a run: the socket for commands in other terminals, and the console.
 *
 * @param sockets the socket, and the directory of the run
 * @param console the console
 */
record Endpoints(RunSockets sockets, Console console) implements AutoCloseable {
    /** Opens the console of a run whose socket is open. When a port that the user asks for cannot be opened, the socket is closed. */
    static Endpoints open(
            RunSockets sockets,
            UiSettings settings,
            Map<String, Object> conf,
            Console.Run run,
            Consumer<String> lines) {
        try {
            return new Endpoints(sockets, Console.open(settings, conf, run, lines));
        } catch (IOException e) {
            sockets.close();
            throw new UserError(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        console.close();
        sockets.close();
    }
}
