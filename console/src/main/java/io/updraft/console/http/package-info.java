/** A small HTTP server for pages about this process. It knows nothing about their content. */
package io.updraft.console.http;
