package io.updraft.engine.loop;

/** A thread that the engine has created, as distinct from threads of the user. */
final class EngineThread extends Thread {

    EngineThread(Runnable target, String name, ClassLoader loader) {
        super(target, name);
        setDaemon(true);
        setContextClassLoader(loader);
    }
}
