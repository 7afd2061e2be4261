/** The log file of the process, and the deletion of old logs and dumps. */
package io.updraft.cli.log;
