package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;

/** Key stores made by the JDK's keytool: somebody with a certificate that he has signed himself, and those who trust him. */
final class KeyStoreFiles {

    private static final String PASSWORD = "open sesame";
    private static final String KEYTOOL =
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString();

    private final Path folder;

    KeyStoreFiles(Path folder) {
        this.folder = folder;
    }

    /** Makes a key, and a store of who trusts it. */
    KeyStoreFiles person(String name, String... validity) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
        options.addAll(List.of("-keyalg", "EC", "-keystore", file(name + "-keys")));
        options.addAll(List.of(validity));
        keytool(options);
        String certificate = folder.resolve(name + ".cer").toString();
        keytool(List.of("-exportcert", "-alias", name, "-keystore", file(name + "-keys"), "-file", certificate));
        keytool(List.of(
                "-importcert", "-noprompt", "-alias", name, "-keystore", file(name + "-trust"), "-file", certificate));
        return this;
    }

    /** What makes a worker show one person's certificate, and trust another person. */
    Map<String, Object> conf(String self, String trusted) {
        return Map.of(
                Config.STORM_MESSAGING_NETTY_TLS_ENABLE,
                true,
                Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PATH,
                file(self + "-keys"),
                Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PASSWORD,
                PASSWORD,
                Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PATH,
                file(trusted + "-trust"),
                Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PASSWORD,
                PASSWORD);
    }

    private String file(String name) {
        return folder.resolve(name + ".p12").toString();
    }

    private static void keytool(List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(KEYTOOL));
        command.addAll(options);
        command.addAll(List.of("-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(said).isZero();
    }
}
