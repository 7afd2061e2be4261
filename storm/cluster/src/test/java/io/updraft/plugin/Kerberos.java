package io.updraft.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A Kerberos realm: a KDC in this JVM, and the files of its principals in a directory. */
final class Kerberos implements AutoCloseable {
    private static final String REALM = "EXAMPLE.COM";

    private final Path directory;
    private final SimpleKdcServer kdc;
    private final int port;
    private final Path configuration;

    /** Starts the KDC on a free port. */
    Kerberos(Path directory, int port) throws IOException, KrbException {
        this.directory = directory;
        this.port = port;
        configuration = write("all", "24h");
        kdc = new SimpleKdcServer();
        kdc.setWorkDir(directory.toFile());
        kdc.setKdcRealm(REALM);
        kdc.setKdcHost("localhost");
        kdc.setAllowUdp(false);
        kdc.setKdcTcpPort(port);
        kdc.init();
        kdc.start();
    }

    private Path write(String name, String lifetime) throws IOException {
        return Files.writeString(directory.resolve("krb5-of-" + name + ".conf"), """
                [libdefaults]
                  default_realm = %1$s
                  dns_lookup_kdc = false
                  udp_preference_limit = 1
                  kdc_timeout = 2000
                  max_retries = 1
                  forwardable = true
                          ticket_lifetime = %3$s
                  renew_lifetime = 1h
                [realms]
                  %1$s = {
                    kdc = localhost:%2$d
                  }
                """.formatted(REALM, port, lifetime));
    }

    /** Returns a configuration of the realm with tickets that are valid for seconds. */
    Path shortLived() throws IOException {
        return write("short", "20s");
    }

    /** Returns the JVM option with the realm's configuration. */
    String option() {
        return "-Djava.security.krb5.conf=" + configuration;
    }

    Path configuration() {
        return configuration;
    }

    /** Creates a principal with a random key, and returns the file with the key. */
    Path keytab(String principal) throws KrbException {
        Path keytab = directory.resolve(principal.replace('/', '-') + ".keytab");
        kdc.createPrincipal(principal);
        kdc.exportPrincipal(principal, keytab.toFile());
        return keytab;
    }

    /** Returns a section of a login configuration, with more options than those of each login. */
    static String login(String section, String principal, Path keytab, Map<String, String> more) {
        Map<String, String> options = new LinkedHashMap<>(more);
        options.put("useKeyTab", "true");
        options.put("storeKey", "true");
        options.put("useTicketCache", "false");
        options.put("refreshKrb5Config", "true");
        options.put("keyTab", keytab.toString());
        options.put("principal", principal + "@" + REALM);
        StringBuilder text = new StringBuilder(section + " {\n  com.sun.security.auth.module.Krb5LoginModule required");
        options.forEach((key, value) ->
                text.append("\n  ").append(key).append("=\"").append(value).append('"'));
        return text.append(";\n};\n").toString();
    }

    @Override
    public void close() throws KrbException {
        kdc.stop();
    }
}
