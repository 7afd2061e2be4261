/** Names the component and the task in the logging context of each log line. */
package io.updraft.engine.log;
