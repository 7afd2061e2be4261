/**
 * Worker processes on one host: the coordinator that starts, watches and restarts them, and the main class of a worker.
 *
 * <pre>
 *   coordinator ('updraft run')                      worker k
 *   Deployment   one thread, owns every slot          WorkerMain   control messages on the main thread
 *     | WorkerProcess: stdout, stderr, exit code        | Engine, as worker k of n
 *     +---- ControlChannel, a Unix domain socket -------+
 *                                                       +---- io.updraft.cluster.link ---- other workers
 * </pre>
 *
 * <p>The socket is in a directory that only this user may enter. The topology, its configuration and the secret of the run pass
 * through the socket; none of them is on a command line. When the socket closes for any reason, the worker exits.
 */
package io.updraft.cluster.local;
