/** What components get when they are opened. */
package io.updraft.storm.context;
