package io.updraft.storm.text;

import io.updraft.base.text.OneLine;
import io.updraft.engine.api.LinkageMessages;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/** Describes exceptions of user programs in one line. */
public final class FailureMessages {
    private FailureMessages() {}

    /** Returns the first cause that adds information: wrappers that only repeat their cause are skipped. */
    public static Throwable meaningOf(Throwable failure) {
        Throwable meaning = failure;
        while (meaning.getCause() != null && repeatsItsCause(meaning)) {
            meaning = meaning.getCause();
        }
        return meaning;
    }

    /** Returns the first failure of the given type in a chain of causes, or null. */
    public static <T extends Throwable> T find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }

    /** Returns the failure's simple type and the first line of its message, or what the program needs and does not find. */
    public static String oneLine(Throwable failure) {
        return LinkageMessages.of(failure).orElseGet(() -> typeAndMessage(failure));
    }

    private static String typeAndMessage(Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return OneLine.first(failure.toString());
        }
        return failure.getClass().getSimpleName() + ": " + OneLine.first(message);
    }

    /** Creates the refusal of a topology, with its cause if there is one. */
    public static InvalidTopologyException refusal(String message, Throwable cause) {
        InvalidTopologyException refusal = new WrappedInvalidTopologyException(message);
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }

    private static boolean repeatsItsCause(Throwable failure) {
        return failure.getMessage() == null || failure.getMessage().equals(String.valueOf(failure.getCause()));
    }
}
