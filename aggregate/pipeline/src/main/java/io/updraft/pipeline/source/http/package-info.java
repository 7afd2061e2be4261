/** The HTTP endpoint that takes posted measurements. */
package io.updraft.pipeline.source.http;
