package io.updraft.cli;

import io.updraft.cli.view.ViewMode;
import io.updraft.observe.profile.ProfileEvent;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** The words that a shell offers as values of options and arguments. picocli makes an instance of each class. */
abstract class CompletionWords implements Iterable<String> {
    /** The function of the shell that prints names of living runs; the script of {@code generate-completion} defines it. */
    static final String LOOK_UP = "_updraft_names";

    private final List<String> words;

    CompletionWords(List<String> words) {
        this.words = words;
    }

    @Override
    public final Iterator<String> iterator() {
        return words.iterator();
    }

    private static List<String> lowerCase(Enum<?>[] constants) {
        return Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The names of living topologies and pipelines. */
    public static final class Names extends CompletionWords {
        Names() {
            super(List.of("$(" + LOOK_UP + " names)"));
        }
    }

    /** The components of living topologies. */
    public static final class Components extends CompletionWords {
        Components() {
            super(List.of("$(" + LOOK_UP + " components)"));
        }
    }

    /** The modes of the view of a run. */
    public static final class Views extends CompletionWords {
        Views() {
            super(lowerCase(ViewMode.values()));
        }
    }

    /** The transports between workers. */
    public static final class Transports extends CompletionWords {
        Transports() {
            super(List.of("netty", "aeron", "ucx", "zeromq"));
        }
    }

    public static final class LogLevels extends CompletionWords {
        LogLevels() {
            super(List.of("off", "fatal", "error", "warn", "info", "debug", "trace", "all", "default"));
        }
    }

    public static final class ProfileEvents extends CompletionWords {
        ProfileEvents() {
            super(lowerCase(ProfileEvent.values()));
        }
    }
}
