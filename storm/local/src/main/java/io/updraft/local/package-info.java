/**
 * Support for the classes of Storm's server that this module has under Storm's names, such as {@link
 * org.apache.storm.LocalCluster}.
 */
package io.updraft.local;
