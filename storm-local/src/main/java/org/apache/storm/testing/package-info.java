/** What the methods of {@link org.apache.storm.Testing} take and return, beside Storm's own classes of this package in storm-client. */
package org.apache.storm.testing;
