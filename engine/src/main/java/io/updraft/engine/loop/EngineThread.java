package io.updraft.engine.loop;

/** A thread of the engine's own, as distinct from the user's. */
final class EngineThread extends Thread {

    EngineThread(Runnable target, String name, ClassLoader loader) {
        super(target, name);
        setDaemon(true);
        setContextClassLoader(loader);
    }
}
