/** What a call of the benchmark asks for. */
package io.updraft.bench.option;
