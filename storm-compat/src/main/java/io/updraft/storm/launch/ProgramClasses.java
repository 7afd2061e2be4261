package io.updraft.storm.launch;

/** A loader of one program's classes, in which Storm's client may look for what a setting names. */
public interface ProgramClasses {

    /**
     * Finds a class of the program's own, without asking any other loader.
     *
     * @param name its binary name
     * @return the class
     * @throws ClassNotFoundException when the program has none of that name
     */
    Class<?> findOwn(String name) throws ClassNotFoundException;
}
