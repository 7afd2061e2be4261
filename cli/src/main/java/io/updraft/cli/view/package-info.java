/**
 * Shows running topologies to an operator: a block that redraws in place on a terminal, plain lines elsewhere, and a summary at
 * the end. Pure functions draw everything from {@link io.updraft.observe.view.TopologySample}s; only {@code TerminalBlock} and {@code TerminalSize}
 * use the terminal.
 */
package io.updraft.cli.view;
