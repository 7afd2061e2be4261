/** Replaced steps of Trident: what its bolts run in place of the slowest steps, through private fields of Storm. */
package io.updraft.storm.trident;
