/** The part of Storm's Nimbus that a program sees through {@link org.apache.storm.LocalCluster#getNimbus()}. */
package org.apache.storm.daemon.nimbus;
