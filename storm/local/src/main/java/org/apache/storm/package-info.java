/**
 * The classes of Storm's server that programs and tests use, under Storm's names and with Storm's signatures, backed by {@link
 * io.updraft.storm.UpdraftCluster}. They replace {@code storm-server}: code that was compiled for it runs unchanged.
 */
package org.apache.storm;
