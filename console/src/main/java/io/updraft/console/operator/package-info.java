/** Answers the requests of operators about the run of this process, and carries out what they order. */
package io.updraft.console.operator;
