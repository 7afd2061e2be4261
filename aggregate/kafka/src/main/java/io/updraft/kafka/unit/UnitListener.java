package io.updraft.kafka.unit;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Receives the assignments of this process. Calls come one at a time, from a thread of the coordinator. For each ownership the
 * order is {@code onAssigned}, then perhaps {@code onRevoked}, and then {@code onLost} unless the unit was released in time. A
 * call must return soon, and must not wait for a commit.
 */
public interface UnitListener {

    /**
     * Assigns units to this process. The listener reads each of their partitions from its committed position.
     *
     * @param units the newly owned units; never empty
     */
    void onAssigned(List<AssignedUnit> units);

    /**
     * Revokes units. Another process gets them, and starts after this process has released them. The listener stops reading,
     * finishes or drops records in flight, commits, and then completes the result. Commits of these ownerships are accepted
     * until then. If that takes longer than the coordinator's patience, {@code onLost} is the next call for the units.
     *
     * @param units the units to release; never empty
     * @param reason why, as far as that is known, in one line
     * @return completes, on any thread, when this process no longer works on the units; completes exceptionally if their end
     *     cannot be determined, and they are then lost at once, as if the release had taken too long
     */
    CompletionStage<Void> onRevoked(List<UnitOwnership> units, String reason);

    /**
     * Reports lost units. Another process may own them already, because a session ended or the release took too long. The
     * listener drops all work on them now; commits of these ownerships are refused.
     *
     * @param units the lost units; never empty
     * @param reason why, in one line
     */
    void onLost(List<UnitOwnership> units, String reason);

    /**
     * Reports that the coordinator has failed. It has called {@code onLost} for the owned units, and makes no further call. The
     * coordinator waits for brokers and networks that are away for a while, and does not report them here.
     *
     * @param cause one line that says what is wrong and what to do
     */
    void onFailed(Throwable cause);
}
