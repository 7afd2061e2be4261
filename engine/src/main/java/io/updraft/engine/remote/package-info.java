/** Lanes to other loops and to other workers. */
package io.updraft.engine.remote;
