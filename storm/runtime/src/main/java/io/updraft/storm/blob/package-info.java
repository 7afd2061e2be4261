/** Blobs of Nimbus, and the links to them in the directories of workers. */
package io.updraft.storm.blob;
