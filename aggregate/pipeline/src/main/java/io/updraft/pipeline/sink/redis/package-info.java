/** Redis as a sink. */
package io.updraft.pipeline.sink.redis;
