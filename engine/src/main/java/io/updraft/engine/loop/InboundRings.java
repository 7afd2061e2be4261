package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import java.util.List;

/** The rings through which a loop receives batches from other loops and workers. Belongs to the loop, except the producers' ends. */
final class InboundRings {

    private final RoutingTable routes;
    private List<SpscRing<Batch>> rings = List.of();

    InboundRings(RoutingTable routes) {
        this.routes = routes;
    }

    void connect(List<SpscRing<Batch>> ringsIn) {
        rings = ringsIn;
    }

    /** Routes all batches. Returns their number. */
    int drain() {
        int count = 0;
        for (int i = 0; i < rings.size(); i++) {
            SpscRing<Batch> ring = rings.get(i);
            Batch batch;
            while ((batch = ring.poll()) != null) {
                routes.route(batch);
                count++;
            }
        }
        return count;
    }

    boolean isEmpty() {
        for (int i = 0; i < rings.size(); i++) {
            if (!rings.get(i).isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
