package io.updraft.kafka.units;

/**
 * One process's right to a unit, from being assigned it until it is revoked or lost. Whoever owns the same unit later
 * has a greater epoch, so an epoch orders what owners did and tells a late one from the present one.
 *
 * @param unit the unit
 * @param epoch the fencing token: grows with each ownership of this unit
 */
public record Ownership(WorkUnit unit, long epoch) {

    @Override
    public String toString() {
        return unit + " in epoch " + epoch;
    }
}
