/** Turns: who is in one, how long it takes, and what ends one that does not return. */
package io.updraft.engine.turn;
