/** Files as a source: compressed, followed, rotated, with positions that survive a restart. */
package io.updraft.pipeline.source.file;
