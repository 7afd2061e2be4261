/**
 * Components in other languages: guards around Storm's own {@code ShellBolt} and {@code ShellSpout}, which would otherwise end
 * the process that they share with other components, and the files that their subprocesses run.
 */
package io.updraft.storm.multilang;
