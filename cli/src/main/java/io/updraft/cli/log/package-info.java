/** SLF4J's binding for commands that seldom write a line to the log. */
package io.updraft.cli.log;
