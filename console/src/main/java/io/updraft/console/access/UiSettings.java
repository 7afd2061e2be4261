package io.updraft.console.access;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the console listens, and for whom.
 *
 * @param enabled whether there is a console
 * @param explicit whether the operator asks for the console, so that a failure to open it is an error
 * @param port the port, 0 for any free one; null for the first free one of {@link ConsolePorts#FIRST} to {@link
 *     ConsolePorts#LAST}
 * @param host the address of this host to listen on; null for the loopback address
 * @param users local users who may connect, beside the user of this process and root; {@code *} for all
 * @param names names of this host in addresses of the console, beside those that are known
 * @param readOnly whether actions are refused
 * @param certificate the file with the certificate; null for plain HTTP
 * @param key the file with the certificate's key; null for plain HTTP
 */
public record UiSettings(
        boolean enabled,
        boolean explicit,
        Integer port,
        String host,
        List<String> users,
        List<String> names,
        boolean readOnly,
        Path certificate,
        Path key) {
    /** The option that adds local users. */
    public static final String USERS = "--ui-users";

    /** The option that adds a name of this host. */
    public static final String NAME = "--ui-name";

    /** The option that refuses actions. */
    public static final String READ_ONLY = "--ui-read-only";

    /** No console. */
    public static final UiSettings NONE =
            new UiSettings(false, false, null, null, List.of(), List.of(), false, null, null);

    /** Copies the lists. */
    public UiSettings {
        users = List.copyOf(users);
        names = List.copyOf(names);
    }
}
