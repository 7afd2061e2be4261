/**
 * The transport {@code netty}: TCP, driven by the owner's own thread through Netty's {@code ManualIoEventLoop}, so that
 * Netty has no threads of its own here.
 *
 * <pre>
 *   offer -> gather (one copy into pooled direct memory) -> [TLS] -> one gathering write a flush
 *   read  -> [TLS] -> FrameReader -> [decompress] -> onMessage
 * </pre>
 */
package io.updraft.transport.netty;
