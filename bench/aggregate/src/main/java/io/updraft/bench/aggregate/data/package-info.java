/** What is measured with: records that a seed gives, and what must come out of them. */
package io.updraft.bench.aggregate.data;
