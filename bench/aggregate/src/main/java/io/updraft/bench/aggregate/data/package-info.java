/** The test data: records generated from a seed, and their expected results. */
package io.updraft.bench.aggregate.data;
