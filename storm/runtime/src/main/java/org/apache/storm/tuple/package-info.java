/** What Storm 3 has in this package and Storm 2.8 has not. In workers of a Storm 3 cluster, Storm's own classes are loaded. */
package org.apache.storm.tuple;
