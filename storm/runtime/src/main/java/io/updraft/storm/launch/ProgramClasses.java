package io.updraft.storm.launch;

/** A class loader of one program, in which Storm's client may find classes that settings name. */
public interface ProgramClasses {

    /**
     * {@return a class of the program itself, found without asking any other class loader}
     *
     * @param name the binary name of the class
     * @throws ClassNotFoundException when the program has no class of that name
     */
    Class<?> findOwn(String name) throws ClassNotFoundException;
}
