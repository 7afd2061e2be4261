/** Records on their way from a reader to a task. */
package io.updraft.base.record;
