/** The heap that components hold, as an estimate. Nothing here runs on the path of tuples. */
package io.updraft.observe.heap;
