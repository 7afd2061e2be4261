/**
 * Connects one worker's engine to the other workers. Batches that leave the engine become frames of a session, and received
 * frames become batches.
 *
 * <pre>
 *   engine loops --rings--&gt; RemoteWorkers --&gt; PeerLink: BatchEncoder --&gt; Session ~~~ transport
 *   engine loops &lt;--rings-- RemoteWorkers &lt;-- PeerLink: BatchDecoder &lt;-- Session ~~~ transport
 * </pre>
 *
 * <p>One thread, {@code updraft-gateway}, owns the transport, the sessions, the codec and the engine's {@code RemoteWorkers}.
 */
package io.updraft.cluster.link;
