package io.updraft.timeseries.bolt;

import io.updraft.timeseries.query.TooManyGroupsException;

/**
 * Thrown when a task exceeds its limit of groups. It is an error like running out of memory, not an exception, and so ends the
 * topology. A replacement of the task would receive the same records and reach the limit again.
 */
final class GroupLimitError extends VirtualMachineError {

    private static final long serialVersionUID = 1;

    GroupLimitError(String message, TooManyGroupsException cause) {
        super(message, cause);
    }
}
