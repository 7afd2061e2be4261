/** How a command ends: with an exit code, and in one line where the user can do something about it. */
package io.updraft.base.exit;
