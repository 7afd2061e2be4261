/**
 * The soak: a topology in worker processes that are killed and stopped for minutes on end. What it was promised is checked
 * against files that no kill can reach back into, and what it holds is weighed as it goes: see {@link
 * io.updraft.cluster.soak.SoakTest}.
 */
package io.updraft.cluster.soak;
