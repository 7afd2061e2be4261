/** Takes profiles of this process: with async-profiler where its library can be loaded, with the JDK's Flight Recorder elsewhere. */
package io.updraft.observe.profile;
