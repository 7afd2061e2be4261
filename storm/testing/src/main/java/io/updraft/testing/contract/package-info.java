/**
 * Runs a user's spout or bolt under hostile conditions, which occur in production sooner or later, and reports violations:
 * {@link io.updraft.testing.contract.ComponentContract}.
 */
package io.updraft.testing.contract;
