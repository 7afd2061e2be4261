package io.updraft.engine.turn;

/** A thread that the engine has created, as distinct from threads of the user. It runs as the subject of its creator. */
public final class EngineThread extends Thread {

    public EngineThread(Runnable target, String name, ClassLoader loader) {
        super(InheritedSubject.of(target), name);
        setDaemon(true);
        setContextClassLoader(loader);
    }
}
