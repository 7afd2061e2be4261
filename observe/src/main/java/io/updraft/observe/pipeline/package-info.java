/** What is known of a pipeline: its counts, its time, what lags and what it rejected. */
package io.updraft.observe.pipeline;
