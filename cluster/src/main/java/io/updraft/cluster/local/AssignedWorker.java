package io.updraft.cluster.local;

import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.plan.Assignment;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.ProgramFiles;
import io.updraft.storm.TopologyContexts;
import io.updraft.storm.WorkerPlace;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/** Starts the engine of a worker on this host from the coordinator's assignment. */
final class AssignedWorker {
    private static final String HERE = "127.0.0.1";

    private AssignedWorker() {}

    static WorkerEngine start(
            ControlMessage.Assignment assigned,
            int worker,
            long incarnation,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath,
            Consumer<Throwable> onLinkFailure)
            throws JarRunException, TransportException {
        ProgramFiles program = new ProgramFiles(
                Optional.ofNullable(assigned.jar()).map(Path::of),
                assigned.behind().stream().map(Path::of).toList());
        if (!program.isEmpty()) {
            // The class loader stays open: a topology may load classes for as long as it runs.
            Thread.currentThread().setContextClassLoader(JarRunner.open(program).loader());
        }
        WorkerSpec spec = new WorkerSpec(
                assigned.name(),
                assigned.id(),
                Utils.thriftDeserialize(StormTopology.class, assigned.topology()),
                Utils.parseJson(assigned.conf()),
                Assignment.even(assigned.workers()),
                worker,
                Math.toIntExact(incarnation),
                assigned.seed() + worker,
                new TopologyContexts(WorkerPlace.local(worker)),
                new WorkerSpec.Link(
                        new Peer(assigned.id(), worker, incarnation),
                        Credentials.of(assigned.secret()),
                        HERE,
                        new Address(HERE, 0)));
        return WorkerEngine.start(spec, onError, onDeath, onLinkFailure);
    }
}
