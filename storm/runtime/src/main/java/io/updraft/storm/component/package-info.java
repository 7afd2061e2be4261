/**
 * What runs in place of Storm's own components, through private fields of Storm: the slowest steps of Trident, windows of
 * counts, bolts whose state leaves the process, and guards around subprocesses of other languages.
 */
package io.updraft.storm.component;
