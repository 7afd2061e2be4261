/** The console in the browser: the page, and the requests behind it. */
package io.updraft.console;
