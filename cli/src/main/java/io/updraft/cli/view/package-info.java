/**
 * What an operator sees of running topologies: a block that redraws itself on a terminal, plain lines elsewhere, a summary
 * at the end. Everything is drawn from {@link io.updraft.cli.view.Sample}s by pure functions; only {@code Screen} and
 * {@code TerminalSize} know that there is a terminal.
 */
package io.updraft.cli.view;
