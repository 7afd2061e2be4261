/** What is left of a process that has ended: the capsule that it wrote when its heap was full, and what its coordinator last saw. */
package io.updraft.observe.death;
