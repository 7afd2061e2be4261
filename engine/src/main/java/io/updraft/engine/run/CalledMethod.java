package io.updraft.engine.run;

import io.updraft.engine.snapshot.PlatformFrames;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds the method of a component that the engine has called, and what it waits for in the engine, by the stack of the thread. */
final class CalledMethod {

    /** The package of the executors, which call methods of components, and of the collectors. */
    private static final String CALLERS = CalledMethod.class.getPackageName();

    private CalledMethod() {}

    /** {@return the name of the method; "a call" if the stack does not tell} */
    static String on(StackTraceElement[] stack) {
        for (int i = Math.max(1, platformFramesOnTop(stack)); i < stack.length; i++) {
            if (packageOf(stack[i]).equals(CALLERS)) {
                return stack[i - 1].getMethodName();
            }
        }
        return "a call";
    }

    /**
     * Returns the method of the collector that waits until the home loop takes the executor's output; empty if the thread does not
     * wait for that.
     */
    static Optional<String> waitingForRoom(StackTraceElement[] stack) {
        List<StackTraceElement> onTop = Arrays.asList(stack).subList(0, platformFramesOnTop(stack));
        if (onTop.stream().noneMatch(CalledMethod::isShipment)) {
            return Optional.empty();
        }
        return onTop.stream()
                .filter(frame -> packageOf(frame).equals(CALLERS))
                .reduce((inner, outer) -> outer)
                .map(StackTraceElement::getMethodName);
    }

    private static boolean isShipment(StackTraceElement frame) {
        return frame.getClassName().equals(LoopConnection.class.getName())
                && frame.getMethodName().equals("ship");
    }

    /** Returns the number of innermost frames that are no code of a component: those of an emit that waits, for example. */
    private static int platformFramesOnTop(StackTraceElement[] stack) {
        int frames = 0;
        while (frames < stack.length && PlatformFrames.isPlatform(stack[frames].getClassName())) {
            frames++;
        }
        return frames;
    }

    private static String packageOf(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }
}
