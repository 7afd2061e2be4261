package io.updraft.engine.run;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import javax.security.auth.Subject;

/**
 * Gives a new thread the subject of the thread that creates it. Up to JDK 23 a thread inherits the subject; since JDK 24 it does
 * not, and user code in it could not find the tokens of its topology.
 */
public final class InheritedSubject {
    /** {@code Subject.current()}; null before JDK 18, where threads inherit. */
    private static final MethodHandle CURRENT = findCurrent();

    private InheritedSubject() {}

    private static MethodHandle findCurrent() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(Subject.class, "current", MethodType.methodType(Subject.class));
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns a body of a thread that runs as the caller's subject. The subject is not copied: a change of its tokens is seen.
     *
     * @param body what the thread does
     * @return the body of the thread; the same if the caller has no subject
     */
    public static Runnable of(Runnable body) {
        Subject subject = current();
        return subject == null
                ? body
                : () -> Subject.doAs(subject, (PrivilegedAction<Void>) () -> {
                    body.run();
                    return null;
                });
    }

    private static Subject current() {
        try {
            return CURRENT == null ? null : (Subject) CURRENT.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
