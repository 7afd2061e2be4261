package io.updraft.kafka.share;

/**
 * A commit of a share's progress by its owner. Partitions that are not named keep their positions.
 *
 * @param ownership the ownership of the share
 * @param progress positions (the next offset to read) and metadata
 */
public record ShareCommit(ShareOwnership ownership, ShareProgress progress) {}
