/**
 * Turns what one worker's event loop sends to another worker into bytes and back; knows no network. Begin with
 * {@link io.updraft.cluster.codec.BatchEncoder} and {@link io.updraft.cluster.codec.BatchDecoder}; the bytes are drawn in
 * {@code Layout}.
 *
 * <p>An encoder and the decoder at the other end belong to one connection: both remember what was said on it. Frames must be
 * decoded once each, in the order in which they were encoded, and both sides are {@code reset} when a new connection is made.
 */
package io.updraft.cluster.codec;
