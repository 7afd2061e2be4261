/** Commands that ask a run in another process about itself, and control it. */
package io.updraft.cli.inspection;
