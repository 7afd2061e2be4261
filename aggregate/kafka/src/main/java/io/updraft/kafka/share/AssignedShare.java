package io.updraft.kafka.share;

import java.util.List;

/**
 * A share that this process owns from now on.
 *
 * @param ownership the ownership to name in each commit
 * @param partitions the partitions of the share
 * @param progress the progress of the last commit by any owner
 * @param reason why this process owns it now, as far as that is known, in one line
 */
public record AssignedShare(
        ShareOwnership ownership, List<ClusterPartition> partitions, ShareProgress progress, String reason) {

    /** Copies the partitions. */
    public AssignedShare {
        partitions = List.copyOf(partitions);
    }

    /** Returns the share. */
    public Share share() {
        return ownership.share();
    }
}
