package io.updraft.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.storm.utils.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** Returns Updraft's version and commit, the version of the Storm API on the class path, and the JDK. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        }
        return new String[] {
            "updraft " + build.getProperty("version", "unknown") + " (commit " + build.getProperty("commit", "unknown")
                    + ")",
            "Storm API " + VersionInfo.getVersion(),
            "JDK " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + "), "
                    + System.getProperty("java.home")
        };
    }
}
