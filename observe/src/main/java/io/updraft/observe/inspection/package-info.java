/** Answers questions about a running process over a UNIX domain socket: its threads, its heap, profiles, its log levels. */
package io.updraft.observe.inspection;
