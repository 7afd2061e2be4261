/** The engine: runs one topology, or one worker's part of it. */
package io.updraft.engine;
