package io.updraft.cli.run;

import io.updraft.base.exit.UserError;
import io.updraft.cli.view.ViewMode;
import io.updraft.console.Console;
import io.updraft.console.access.UiSettings;
import io.updraft.console.operator.RunSockets;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** Where operators reach a run: the socket for commands in other terminals, and the console. */
record RunEndpoints(RunSockets sockets, Console console) implements AutoCloseable {
    /** Opens the console of a run whose socket is open. When a port that the user asks for cannot be opened, the socket is closed. */
    static RunEndpoints open(
            RunSockets sockets,
            UiSettings settings,
            Map<String, Object> conf,
            Console.Run run,
            ViewMode view,
            Consumer<String> lines) {
        // A view of errors and warnings only says where the console is if the user has asked for it.
        boolean all = view != ViewMode.NONE || settings.explicit();
        Consumer<String> shown = line -> {
            if (all || line.contains("warning: ")) {
                lines.accept(line);
            }
        };
        try {
            return new RunEndpoints(sockets, Console.open(settings, conf, run, shown));
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
