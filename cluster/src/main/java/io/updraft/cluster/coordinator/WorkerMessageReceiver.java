package io.updraft.cluster.coordinator;

import io.updraft.cluster.control.ControlChannel;
import io.updraft.cluster.control.ControlMessage;
import io.updraft.cluster.control.ControlMessage.Hello;
import io.updraft.cluster.control.ControlMessage.WorkerAssignment;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the messages of workers, each connection on its own thread, and hands them to the coordinator's thread. */
final class WorkerMessageReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMessageReceiver.class);

    private final CoordinatorThread owner;
    private final WorkerSlots slots;

    WorkerMessageReceiver(CoordinatorThread owner, WorkerSlots slots) {
        this.owner = owner;
        this.slots = slots;
    }

    void serve(ControlChannel channel) {
        CompletableFuture<Void> heardOut = new CompletableFuture<>();
        try (channel) {
            if (channel.receive() instanceof Hello hello) {
                WorkerAssignment assignment = owner.call(() -> slots.assign(hello, channel, heardOut));
                if (assignment != null) {
                    channel.send(assignment);
                    listen(channel, hello.worker(), hello.incarnation());
                }
            }
        } catch (IOException e) {
            LOG.debug("a connection to a worker has ended", e);
        } finally {
            heardOut.complete(null);
        }
    }

    private void listen(ControlChannel channel, int worker, long incarnation) {
        String why = null;
        try {
            for (ControlMessage message = channel.receive(); message != null; message = channel.receive()) {
                ControlMessage received = message;
                owner.post(() -> slots.onMessage(worker, incarnation, received));
            }
        } catch (SocketException | ClosedChannelException e) {
            LOG.debug("the connection of worker {} is closed", worker, e);
        } catch (IOException e) {
            why = e.getMessage();
        }
        String reason = why;
        owner.post(() -> slots.onChannelClosed(worker, incarnation, reason));
    }
}
