package io.updraft.engine.api;

/** Code of a component did not return when its topology was closed, not even after an interrupt: its thread is left behind. */
public final class CallNotReturned extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure of a thread that does not come back.
     *
     * @param method the component's method that the engine has called
     * @param stack the thread's stack, which is the failure's
     */
    public CallNotReturned(String method, StackTraceElement[] stack) {
        super(method + " did not return" + (stack.length == 0 ? "" : "; its thread is at " + stack[0]));
        setStackTrace(stack);
    }

    /** {@return the message alone: the name of the type would say the same} */
    @Override
    public String toString() {
        return getMessage();
    }
}
