/**
 * A worker that a Supervisor of a Storm cluster has launched: what it reads from the cluster, and what it owes it. Nimbus schedules,
 * Supervisors launch; nothing here decides where anything runs.
 */
package io.updraft.cluster.supervised;
