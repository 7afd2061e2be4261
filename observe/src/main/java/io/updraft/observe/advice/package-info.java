/** Says what limits a topology, and what more executors or event loops would give. Knows only figures; does not know the views. */
package io.updraft.observe.advice;
