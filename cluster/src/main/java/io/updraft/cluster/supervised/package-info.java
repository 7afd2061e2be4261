/**
 * A worker that a Supervisor of a Storm cluster has launched: the state that it reads from the cluster, and the heartbeats and
 * statistics that it sends. Nimbus schedules and Supervisors launch; nothing here decides where anything runs.
 */
package io.updraft.cluster.supervised;
