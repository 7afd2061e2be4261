package io.updraft.engine.api;

/** A call to a component did not return when its topology was closed, not even after an interrupt. The thread is abandoned. */
public final class CallNotReturned extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a thread that does not return.
     *
     * @param method the component's method that the engine called
     * @param stack the stack of the thread; becomes the stack trace of the exception
     */
    public CallNotReturned(String method, StackTraceElement[] stack) {
        super(method + " did not return" + (stack.length == 0 ? "" : "; its thread is at " + stack[0]));
        setStackTrace(stack);
    }

    /** {@return the message alone; the name of this class would only repeat it} */
    @Override
    public String toString() {
        return getMessage();
    }
}
