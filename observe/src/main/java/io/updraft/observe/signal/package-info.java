/** Handling of operating system signals and of {@code System.exit}. */
package io.updraft.observe.signal;
