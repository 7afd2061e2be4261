/** Where the process' log goes. */
package io.updraft.cli.log;
