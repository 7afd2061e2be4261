/** What is worth seeing of a topology: samples, rates, what limits it, remarks, and all that as JSON. */
package io.updraft.observe.view;
