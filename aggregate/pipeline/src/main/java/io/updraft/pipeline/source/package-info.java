/**
 * Sources: files (compressed, followed, rotated, with positions that survive a restart), standard input and generated records. Cuts
 * streams into records: lines, and rows of CSV.
 */
package io.updraft.pipeline.source;
