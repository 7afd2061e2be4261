package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.TooManyGroups;

/**
 * A task has more groups than it has room for. No exception but an error, as when memory has run out, which ends the topology: an
 * instance that took its place would be given the same records again, and be full after as many.
 */
final class NoRoomForGroups extends VirtualMachineError {

    private static final long serialVersionUID = 1;

    NoRoomForGroups(String message, TooManyGroups cause) {
        super(message, cause);
    }
}
