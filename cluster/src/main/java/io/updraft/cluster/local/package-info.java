/**
 * Worker processes on one host: the coordinator that starts, watches and restarts them, and the main of a worker.
 *
 * <pre>
 *   coordinator ('updraft run')                      worker k
 *   Coordinator  one thread, owns every slot          WorkerMain   control messages on the main thread
 *     | WorkerProcess: stdout, stderr, exit code        | Engine, as worker k of n
 *     +---- ControlChannel, a Unix domain socket -------+
 *                                                       +---- io.updraft.cluster.link ---- other workers
 * </pre>
 *
 * <p>The socket lies in a directory that only this user may enter; the topology, its configuration and the secret of the
 * run pass through it, and nothing of them is on a command line. When the socket closes, whatever the reason, the worker
 * exits.
 */
package io.updraft.cluster.local;
