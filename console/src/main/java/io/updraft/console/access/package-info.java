/** Who may see the console of a run, and who may act there. */
package io.updraft.console.access;
