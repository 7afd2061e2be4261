/** Collectors, and the streams and outbox that they emit into. */
package io.updraft.engine.emit;
