package io.updraft.kafka.unit;

/**
 * The ownership of a unit by one process, from its assignment until it is revoked or lost. Later owners of the same unit have
 * greater epochs. The epoch thus orders the actions of owners, and distinguishes a former owner from the current one.
 *
 * @param unit the unit
 * @param epoch the fencing token, which grows with each ownership of this unit
 */
public record UnitOwnership(WorkUnit unit, long epoch) {

    @Override
    public String toString() {
        return unit + " in epoch " + epoch;
    }
}
