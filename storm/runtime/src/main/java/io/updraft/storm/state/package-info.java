/** Bolts whose state leaves the process: what Storm's serializer of states needs. */
package io.updraft.storm.state;
