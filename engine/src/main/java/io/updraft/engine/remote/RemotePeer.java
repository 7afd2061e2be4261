package io.updraft.engine.remote;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.Doorbell;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** The gateway's state of one other worker. Belongs to the gateway's thread. The sets do not change after assembly. */
final class RemotePeer {

    /** The regions that have tasks in that worker. */
    final BitSet regions = new BitSet();

    /** The tasks of that worker. */
    final BitSet tasks = new BitSet();

    /** The lanes to that worker, one for each loop. */
    final List<OutboundLane> outward;

    boolean joined;

    /** The regions that are held back because of that worker. */
    BitSet held = new BitSet();

    private int next;

    RemotePeer(int loops) {
        outward = new ArrayList<>(Collections.nCopies(loops, null));
    }

    /** Takes a batch from the lanes of the loops in turn, and wakes the loop if it waits for room. */
    Batch poll(List<Doorbell> loops) {
        for (int i = 0; joined && i < outward.size(); i++) {
            next = next + 1 < outward.size() ? next + 1 : 0;
            OutboundLane lane = outward.get(next);
            Batch batch = lane.ring().poll();
            if (batch != null) {
                if (lane.hasRoomAgain()) {
                    loops.get(next).ring();
                }
                return batch;
            }
        }
        return null;
    }

    boolean hasOutgoing() {
        for (int i = 0; joined && i < outward.size(); i++) {
            if (!outward.get(i).ring().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
