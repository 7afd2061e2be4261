/** Of Storm's Nimbus what a program sees through {@link org.apache.storm.LocalCluster#getNimbus()}. */
package org.apache.storm.daemon.nimbus;
