package io.updraft.storm.conf;

/** Thrown when configuration cannot be read. The message is one line that names the file and line, or the option, at fault. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
