/**
 * The soak test: a topology in worker processes that are killed and stopped for minutes. Its guarantees are checked against
 * files that survive any kill, and its memory is measured during the run: see {@link io.updraft.cluster.soak.SoakTest}.
 */
package io.updraft.cluster.soak;
