/**
 * Runs a spout or a bolt of the user's under hostile conditions, as production brings them sooner or later, and reports what
 * broke: {@link io.updraft.testing.contract.ComponentContract}.
 */
package io.updraft.testing.contract;
