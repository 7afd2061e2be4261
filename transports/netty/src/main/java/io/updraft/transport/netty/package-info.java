/**
 * The transport {@code netty}: TCP with Netty's {@code ManualIoEventLoop}. The owner's thread drives the loop, so Netty has no
 * threads of its own.
 *
 * <pre>
 *   offer -> gather (one copy into pooled direct memory) -> [TLS] -> one gathering write for each flush
 *   read  -> [TLS] -> FrameReader -> [decompress] -> onMessage
 * </pre>
 */
package io.updraft.transport.netty;
