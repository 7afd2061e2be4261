/** Runs programs that were written for Storm on Storm and here, and says where the two differ. */
package io.updraft.bench.compat;
