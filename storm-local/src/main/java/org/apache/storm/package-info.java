/**
 * The classes of Storm's server that programs and tests use, under Storm's names and with Storm's signatures, backed by
 * {@link io.updraft.storm.UpdraftCluster}. They take the place of {@code storm-server}: what was compiled for that runs unchanged.
 */
package org.apache.storm;
