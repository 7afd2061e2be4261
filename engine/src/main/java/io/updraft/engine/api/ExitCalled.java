package io.updraft.engine.api;

import java.util.Arrays;

/** Code of a component has asked the JVM to exit. The thread that has done so never goes on. */
public final class ExitCalled extends Exception {
    private static final long serialVersionUID = 1L;

    private ExitCalled(String message) {
        super(message);
    }

    /**
     * Tells whether a thread has asked the JVM to exit.
     *
     * @param stack the thread's stack
     * @return whether it is in {@code System.exit} or {@code Runtime.exit}
     */
    public static boolean isIn(StackTraceElement[] stack) {
        return firstCaller(stack) > 0;
    }

    /**
     * Makes the failure of a thread that has asked the JVM to exit.
     *
     * @param stack the thread's stack
     * @return the failure; its stack trace begins with the caller
     */
    public static ExitCalled by(StackTraceElement[] stack) {
        StackTraceElement[] callers = Arrays.copyOfRange(stack, firstCaller(stack), stack.length);
        ExitCalled failure =
                new ExitCalled("System.exit was called" + (callers.length == 0 ? "" : " at " + nameOf(callers[0])));
        failure.setStackTrace(callers);
        return failure;
    }

    // Without the name of the class loader, which a frame's own text begins with.
    private static String nameOf(StackTraceElement frame) {
        return frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                + frame.getLineNumber() + ")";
    }

    // Beneath the last frame of the JDK's exit, 0 if there is none.
    private static int firstCaller(StackTraceElement[] stack) {
        int first = 0;
        for (int i = 0; i < stack.length; i++) {
            String type = stack[i].getClassName();
            if (stack[i].getMethodName().equals("exit")
                    && (type.equals("java.lang.Runtime") || type.equals("java.lang.System"))) {
                first = i + 1;
            }
        }
        return first;
    }

    /** {@return the message alone: the name of the type would say the same} */
    @Override
    public String toString() {
        return getMessage();
    }
}
