/** What becomes of failures: the log, the dead letters. */
package io.updraft.engine.failure;
