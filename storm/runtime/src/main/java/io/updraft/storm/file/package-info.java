/** Directories that are created, and removed as a whole. */
package io.updraft.storm.file;
