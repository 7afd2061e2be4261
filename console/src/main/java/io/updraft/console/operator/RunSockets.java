package io.updraft.console.operator;

import io.updraft.observe.inspection.InspectionServer;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.RunDirectory;
import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket on which this process answers operators, and the directory of its run. Without them the run works the same. */
public final class RunSockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunSockets.class);

    private final RunDirectory directory;
    private final InspectionServer server;

    private RunSockets(RunDirectory directory, InspectionServer server) {
        this.directory = directory;
        this.server = server;
    }

    /** Opens the socket. When that is not possible, a warning is logged. */
    public static RunSockets open(RunDescription description, Map<String, RequestHandler> handlers) {
        RunDirectory directory = null;
        try {
            directory = RunDirectory.create(StateDirectory.path(), description);
            return new RunSockets(directory, InspectionServer.open(directory.socketOf(description.pid()), handlers));
        } catch (IOException | RuntimeException e) {
            LOG.warn("'updraft ps' and other commands will not find this run: {}", e.toString());
            close(directory);
            return new RunSockets(null, null);
        }
    }

    /** {@return the directory in which the processes of this run open their sockets; null if there is none} */
    public Path directory() {
        return directory == null ? null : directory.description().sockets();
    }

    /** Tells shells the names of the living topologies or pipelines, and those of their components. */
    public void setNames(Collection<String> names, Collection<String> components) {
        if (directory != null) {
            try {
                directory.writeNames(names, components);
            } catch (IOException e) {
                LOG.debug("shells will not complete the names of this run: {}", e.toString());
            }
        }
    }

    @Override
    public void close() {
        close(server);
        close(directory);
    }

    private static void close(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            LOG.warn("cannot remove the directory of this run: {}", e.toString());
        }
    }
}
