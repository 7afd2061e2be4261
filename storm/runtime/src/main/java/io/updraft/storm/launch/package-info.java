/**
 * The class loaders of the class path and of the program's jar. Their classes are the only ones that the JVM's own class loader
 * of the class path defines, so that the rest of the process sees the same classes.
 */
package io.updraft.storm.launch;
