package io.updraft.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What the build has written down about itself. */
public final class BuildInfo {
    private static final Properties PROPERTIES = read();

    private BuildInfo() {}

    private static Properties read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/io/updraft/console/build.properties")) {
            if (in != null) {
                properties.load(in);
            }
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the version of Updraft} */
    public static String version() {
        return PROPERTIES.getProperty("version", "unknown");
    }

    /** {@return the commit from which Updraft was built} */
    public static String commit() {
        return PROPERTIES.getProperty("commit", "unknown");
    }

    static String uplotVersion() {
        return PROPERTIES.getProperty("uplot", "unknown");
    }
}
