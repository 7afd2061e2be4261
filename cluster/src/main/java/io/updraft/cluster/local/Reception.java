package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.Hello;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the messages of workers, each connection on its own thread, and hands them to the coordinator's thread. */
final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    private final OwnerThread owner;
    private final WorkerSlots slots;

    Reception(OwnerThread owner, WorkerSlots slots) {
        this.owner = owner;
        this.slots = slots;
    }

    void serve(ControlChannel channel) {
        CompletableFuture<Void> heardOut = new CompletableFuture<>();
        try (channel) {
            if (channel.receive() instanceof Hello hello) {
                Assignment assignment = owner.call(() -> slots.welcome(hello, channel, heardOut));
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
