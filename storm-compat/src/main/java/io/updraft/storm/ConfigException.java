package io.updraft.storm;

/** Configuration that cannot be read; the message is one line that names the file and line, or the option, at fault. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the refusal.
     *
     * @param message one line: what is wrong and where
     * @param cause what lies behind it, or null
     */
    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
