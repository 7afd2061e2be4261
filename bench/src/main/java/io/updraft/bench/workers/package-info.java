/** The bench between worker processes: what runs them, and how the harness counts what happens in them. */
package io.updraft.bench.workers;
