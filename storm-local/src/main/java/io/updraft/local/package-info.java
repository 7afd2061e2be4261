/** What lies behind the classes of Storm's server that are here under Storm's names: {@link org.apache.storm.LocalCluster} and its kin. */
package io.updraft.local;
