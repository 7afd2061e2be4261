package org.apache.storm.scheduler;

/** A part of Storm's server that a signature of {@code LocalCluster.Builder} names. Nothing is scheduled here. */
public interface INimbus {}
