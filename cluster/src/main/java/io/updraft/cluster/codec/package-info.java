/**
 * Encodes the batches that one worker's event loop sends to another worker, and decodes them. It does no networking. Start with
 * {@link io.updraft.cluster.codec.BatchEncoder} and {@link io.updraft.cluster.codec.BatchDecoder}; {@code BatchLayout} draws the
 * bytes.
 *
 * <p>An encoder and the decoder at the other end belong to one connection: both remember its streams and its last tuple. Frames
 * must be decoded once each, in the order in which they were encoded. Both sides are {@code reset} when a new connection is
 * made.
 */
package io.updraft.cluster.codec;
