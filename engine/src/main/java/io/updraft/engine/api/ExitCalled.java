package io.updraft.engine.api;

import java.util.Arrays;

/** A component called {@code System.exit}. The calling thread never returns from that call. */
public final class ExitCalled extends Exception {
    private static final long serialVersionUID = 1L;

    private ExitCalled(String message) {
        super(message);
    }

    /**
     * Returns whether a thread has called {@code System.exit} or {@code Runtime.exit}.
     *
     * @param stack the stack of the thread
     * @return whether the thread is in one of the two methods
     */
    public static boolean isIn(StackTraceElement[] stack) {
        return firstCaller(stack) > 0;
    }

    /**
     * Creates the exception for a thread that called {@code System.exit}.
     *
     * @param stack the stack of the thread
     * @return the exception; its stack trace begins at the caller of {@code exit}
     */
    public static ExitCalled by(StackTraceElement[] stack) {
        StackTraceElement[] callers = Arrays.copyOfRange(stack, firstCaller(stack), stack.length);
        ExitCalled failure =
                new ExitCalled("System.exit was called" + (callers.length == 0 ? "" : " at " + nameOf(callers[0])));
        failure.setStackTrace(callers);
        return failure;
    }

    // StackTraceElement.toString would begin with the name of the class loader.
    private static String nameOf(StackTraceElement frame) {
        return frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                + frame.getLineNumber() + ")";
    }

    // Returns the index of the frame that called the JDK's exit method, 0 if there is none.
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

    /** {@return the message alone; the name of this class would only repeat it} */
    @Override
    public String toString() {
        return getMessage();
    }
}
