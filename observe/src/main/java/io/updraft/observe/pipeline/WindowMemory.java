package io.updraft.observe.pipeline;

/**
 * The limits of the open windows of this process together, and what was spilled.
 *
 * @param maxBytes the most bytes of memory
 * @param maxGroups the most groups; {@link Long#MAX_VALUE} if there is no limit
 * @param spilledBytes bytes of groups that did not fit, as of about a second ago: files and their write buffers, without results
 *     that wait to be written; -1 if no directory for spilling is set
 */
public record WindowMemory(long maxBytes, long maxGroups, long spilledBytes) {}
