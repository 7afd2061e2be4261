/**
 * What loads the rest of the process. Its classes are the only ones that the JVM's own loader of the class path defines, so that the
 * rest sees the same ones.
 */
package io.updraft.storm.launch;
