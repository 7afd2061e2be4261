/**
 * Worker processes of one topology on one host: starts, watches and restarts them.
 *
 * <pre>
 *   coordinator ('updraft run')                      worker k
 *   Deployment   one thread, owns every slot          WorkerMain   control messages on the main thread
 *     | WorkerProcess: stdout, stderr, exit code            | Engine, as worker k of n
 *     +---- ControlChannel, a Unix domain socket -------+
 *                                                       +---- io.updraft.cluster.link ---- other workers
 * </pre>
 *
 * <p>The topology, its configuration and the secret of the run pass through the socket; none of them is on a command line.
 */
package io.updraft.cluster.local;
