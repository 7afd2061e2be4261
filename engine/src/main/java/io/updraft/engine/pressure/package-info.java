/** Back-pressure by region, and overloaded tasks. */
package io.updraft.engine.pressure;
