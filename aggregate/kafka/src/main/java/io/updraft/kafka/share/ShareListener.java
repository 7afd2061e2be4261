package io.updraft.kafka.share;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Receives the assignments of this process. Calls come one at a time, from a thread of the coordinator. For each ownership the
 * order is {@code onAssigned}, then perhaps {@code onRevoked}, and then {@code onLost} unless the share was released in time. A
 * call must return soon, and must not wait for a commit.
 */
public interface ShareListener {

    /**
     * Assigns shares to this process. The listener reads each of their partitions from its committed position.
     *
     * @param shares the newly owned shares; never empty
     */
    void onAssigned(List<AssignedShare> shares);

    /**
     * Revokes shares. Another process gets them, and starts after this process has released them. The listener stops reading,
     * finishes or drops records in flight, commits, and then completes the result. Commits of these ownerships are accepted
     * until then. If that takes longer than the coordinator's patience, {@code onLost} is the next call for the shares.
     *
     * @param shares the shares to release; never empty
     * @param reason why, as far as that is known, in one line
     * @return completes, on any thread, when this process no longer works on the shares; completes exceptionally if their end
     *     cannot be determined, and they are then lost at once, as if the release had taken too long
     */
    CompletionStage<Void> onRevoked(List<ShareOwnership> shares, String reason);

    /**
     * Reports lost shares. Another process may own them already, because a session ended or the release took too long. The
     * listener drops all work on them now; commits of these ownerships are refused.
     *
     * @param shares the lost shares; never empty
     * @param reason why, in one line
     */
    void onLost(List<ShareOwnership> shares, String reason);

    /**
     * Reports that the coordinator has failed. It has called {@code onLost} for the owned shares, and makes no further call. The
     * coordinator waits for brokers and networks that are away for a while, and does not report them here.
     *
     * @param cause one line that says what is wrong and what to do
     */
    void onFailed(Throwable cause);
}
