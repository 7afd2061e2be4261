/** Numbers, JSON and UTF-8 as text, for sources and sinks. */
package io.updraft.pipeline.text;
