/** Hot keys: what share of a fields grouping's tuples has which key. */
package io.updraft.engine.key;
