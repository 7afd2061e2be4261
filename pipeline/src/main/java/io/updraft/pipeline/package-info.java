/** A pipeline as whoever has started it sees it. */
package io.updraft.pipeline;
