/** The view of a running pipeline for the code that started it. */
package io.updraft.pipeline;
