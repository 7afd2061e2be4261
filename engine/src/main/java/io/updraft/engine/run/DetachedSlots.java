package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;
import java.util.ArrayList;
import java.util.List;

/**
 * The executors of a loop that run on threads of their own. The loop passes on their input and routes their output. Belongs to
 * the loop.
 */
final class DetachedSlots {

    private final List<ExecutorSlot> detached = new ArrayList<>();
    private final TopologyServices shared;
    private final Mailbox mailbox;
    private final RoutingTable routes;
    private final ReadySlots ready;

    DetachedSlots(TopologyServices shared, Mailbox mailbox, RoutingTable routes, ReadySlots ready) {
        this.shared = shared;
        this.mailbox = mailbox;
        this.routes = routes;
        this.ready = ready;
    }

    void add(ExecutorSlot slot) {
        detached.add(slot);
    }

    void remove(ExecutorSlot slot) {
        detached.remove(slot);
    }

    /** Takes an executor off the loop, whose turn has ended or no longer has the loop. */
    void depart(ExecutorSlot slot, String reason) {
        ExecutorMoves.toOwnThread(slot.executor(), slot.loop().index(), reason);
        slot.detached = true;
        detached.add(slot);
    }

    /** Exchanges batches with all of these executors. Returns the number of batches received. */
    int drain() {
        int work = 0;
        for (int i = 0; i < detached.size(); i++) {
            ExecutorSlot slot = detached.get(i);
            work += drainFrom(slot);
            if (!slot.detached) {
                detached.remove(i--);
                // The executor may have no work left, and so no turn after which it would be measured.
                ready.measure(slot);
                continue;
            }
            LoopConnection link = slot.executor().connection();
            if (!slot.inboxIsEmpty() && link.hasInputCapacity()) {
                link.offerInput(slot.takeInbox());
            }
            ready.measure(slot);
        }
        return work;
    }

    private int drainFrom(ExecutorSlot slot) {
        LoopConnection link = slot.executor().connection();
        int count = 0;
        int tuples = 0;
        Batch batch;
        while (tuples < Outbox.ENOUGH && !isHeldBack(slot) && (batch = link.pollOutput()) != null) {
            mailbox.drain(routes);
            routes.route(batch);
            tuples += batch.tupleCount();
            count++;
            if (batch.isLast()) {
                rejoin(slot);
                break;
            }
        }
        if (count > 0 && slot.isSpout()) {
            link.outputTaken();
        }
        return count;
    }

    /**
     * Returns whether the output of a detached executor must wait. A single call can send any number of tuples, and
     * while its ring is full the executor waits within that call. The output need not wait when the executor has given up its
     * thread: until the loop takes it back no thread runs it, and a spout would receive no acks while its downstream bolts are
     * congested.
     */
    private boolean isHeldBack(ExecutorSlot slot) {
        return slot.executor().isHeldBack()
                && !slot.executor().connection().isReturning()
                && !shared.lifecycle().isStopping();
    }

    private void rejoin(ExecutorSlot slot) {
        slot.rejoin(slot.executor().connection().takeBack());
        Executor executor = slot.executor();
        executor.connection().rejoin();
        if (!shared.lifecycle().isStopping()) {
            ExecutorMoves.backToLoop(
                    executor,
                    slot.loop().index(),
                    executor.isHeld() ? "held for a rebalance" : "its calls were quick for a while");
        }
        if (!slot.isSpout()) {
            ready.add(slot);
        }
    }

    boolean haveOutput() {
        for (int i = 0; i < detached.size(); i++) {
            ExecutorSlot slot = detached.get(i);
            if (slot.executor().connection().hasOutput() && !isHeldBack(slot)) {
                return true;
            }
        }
        return false;
    }
}
