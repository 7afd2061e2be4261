/**
 * Parameters and results of the methods of {@link org.apache.storm.Testing}; Storm's own classes of this package are in
 * storm-client.
 */
package org.apache.storm.testing;
