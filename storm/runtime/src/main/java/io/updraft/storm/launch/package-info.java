/**
 * The class loader of the rest of the process. Its classes are the only ones that the JVM's own class loader of the class path
 * defines, so that the rest of the process sees the same classes.
 */
package io.updraft.storm.launch;
