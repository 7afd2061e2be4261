/**
 * Components in other languages: Storm's own {@code ShellBolt} and {@code ShellSpout}, kept from ending the process that they
 * share with others, and the files that they run.
 */
package io.updraft.storm.multilang;
