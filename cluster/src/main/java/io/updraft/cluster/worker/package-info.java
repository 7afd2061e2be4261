/**
 * One worker's part of a topology, with its link to the other workers. Independent of the process that starts and controls it.
 */
package io.updraft.cluster.worker;
