/** The console of a Storm cluster: what it shows is read from Nimbus, and its actions are calls of Nimbus. */
package io.updraft.console.cluster;
