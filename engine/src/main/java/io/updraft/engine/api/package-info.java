/** What callers give the engine, and the contract of contexts. */
package io.updraft.engine.api;
