/**
 * What coordinator and workers tell each other: the messages, their bytes, the exit codes, and the Unix domain socket between
 * them. The socket is in a directory that only this user may enter. When it closes for any reason, the worker exits.
 */
package io.updraft.cluster.control;
