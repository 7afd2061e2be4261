package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.netty.ConnectedEnds.End;
import io.updraft.transport.netty.ConnectedEnds.Listener;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** TLS with Storm's keys and key stores. */
final class StormTlsTest extends TlsFixture {

    @Override
    Map<String, Object> write(Certificates certificates, Path into) throws Exception {
        return certificates.writeStoresTo(into);
    }

    // Peers.

    @Test
    void shouldLetInWhoHasACertificateOfOurs() throws Exception {
        assertThat(connect(conf, conf).reason()).isNull();
    }

    @Test
    void shouldTalkToWhoHasTheSameCertificatesInPem() throws Exception {
        assertThat(connect(conf, ours.member("other").writeTo(folder("pem"))).reason())
                .isNull();
    }

    @Test
    void shouldNotTrustAListenerWhoseAuthorityIsUnknown() throws Exception {
        assertThat(connect(theirs.member("stranger").writeStoresTo(folder("theirs")), conf)
                        .reason())
                .contains("is not trusted", "truststore");
    }

    @Test
    void shouldNotLetInWhoseAuthorityIsUnknown() throws Exception {
        Map<String, Object> peer = theirs.member("stranger").writeStoresTo(folder("theirs"));
        peer.put(StormTls.TRUSTSTORE + ".path", conf.get(StormTls.TRUSTSTORE + ".path"));
        Listener listener = ends.listener(conf);
        ChannelRecorder near = new ChannelRecorder();
        End end = ends.end(peer);
        end.connect(listener.address(), near);
        assertThat(end.reasonOf(near)).contains("has refused TLS");
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldUseTheStoresOfClientsForConnectionsThatItOpens() throws Exception {
        Map<String, Object> client = theirs.member("client").writeStoresTo(folder("client"));
        Map<String, Object> both = new HashMap<>(conf);
        both.put(StormTls.CLIENT_KEYSTORE + ".path", client.get(StormTls.KEYSTORE + ".path"));
        both.put(StormTls.CLIENT_KEYSTORE + ".password", Certificates.PASSWORD);
        both.put(StormTls.CLIENT_TRUSTSTORE + ".path", client.get(StormTls.TRUSTSTORE + ".path"));
        both.put(StormTls.CLIENT_TRUSTSTORE + ".password", Certificates.PASSWORD);
        assertThat(connect(client, both).reason())
                .as("as client it is one of theirs")
                .isNull();
        assertThat(connect(both, conf).reason())
                .as("as server it is one of ours")
                .isNull();
        assertThat(connect(conf, both).reason()).contains("is not trusted");
    }

    @Test
    void shouldLookAtNamesOfHostsOnlyWhenAskedTo() throws Exception {
        Map<String, Object> elsewhere = ours.memberOfHost("elsewhere.example").writeStoresTo(folder("elsewhere"));
        assertThat(connect(elsewhere, conf).reason()).isNull();
        assertThat(connect(elsewhere, with(conf, Tls.VERIFY_HOST, true)).reason())
                .contains("names other hosts");
    }

    @Test
    void shouldUseNewStoresForNewConnections() throws Exception {
        Listener listener = ends.listener(ours.member("first").writeStoresTo(folder("changing")));
        End end = ends.end(conf);
        ChannelRecorder before = new ChannelRecorder();
        end.connect(listener.address(), before);
        assertThat(before.reason()).isNull();
        theirs.member("second").writeStoresTo(folder("changing"));
        ChannelRecorder after = new ChannelRecorder();
        end.connect(listener.address(), after);
        assertThat(after.reason()).contains("is not trusted");
        assertThat(before.isClosed()).isFalse();
    }

    @Test
    void shouldGoOnWithTheOldStoreWhenTheNewOneHasOnlyASecretKey() throws Exception {
        Map<String, Object> changing = ours.member("first").writeStoresTo(folder("changing"));
        Listener listener = ends.listener(changing);
        writeSecretKey(Path.of(changing.get(StormTls.KEYSTORE + ".path").toString()));
        ChannelRecorder near = new ChannelRecorder();
        ends.end(conf).connect(listener.address(), near);
        assertThat(near.reason()).isNull();
    }

    @Test
    void shouldNameAStoreThatHasOnlyASecretKey() throws Exception {
        Path store = folder.resolve("secret.p12");
        writeSecretKey(store);
        assertThat(refusal(with(conf, StormTls.KEYSTORE + ".path", store)))
                .contains(StormTls.KEYSTORE + ".path", "has 0 keys");
    }

    private static void writeSecretKey(Path file) throws Exception {
        KeyStore.ProtectionParameter password = new KeyStore.PasswordProtection(Certificates.PASSWORD.toCharArray());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setEntry("secret", new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")), password);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, Certificates.PASSWORD.toCharArray());
        }
    }

    @Test
    void shouldSpeakTheVersionAndTheCiphersThatAreSaid() throws Exception {
        Map<String, Object> older = with(
                with(conf, StormTls.PROTOCOLS, "TLSv1.2"), StormTls.CIPHERS, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        assertThat(connect(older, older).reason()).isNull();
        assertThat(ends.end(older).transport().description()).contains("TLSv1.2");
        assertThat(connect(older, conf).reason()).contains("TLS");
        Map<String, Object> one = with(conf, StormTls.CIPHERS, List.of("TLS_CHACHA20_POLY1305_SHA256"));
        Map<String, Object> other = with(conf, StormTls.CIPHERS, List.of("TLS_AES_128_GCM_SHA256"));
        assertThat(connect(one, one).reason()).isNull();
        assertThat(connect(one, other).reason()).contains("TLS");
    }

    @Test
    void shouldCountBothEndsAsAuthenticated() throws Exception {
        assertThat(ends.end(conf).transport().isMutuallyAuthenticated()).isTrue();
        assertThat(ends.end(Map.of()).transport().isMutuallyAuthenticated()).isFalse();
        Map<String, Object> pem = ours.member("other").writeTo(folder("pem"));
        assertThat(ends.end(pem).transport().isMutuallyAuthenticated()).isTrue();
        assertThat(ends.end(with(pem, Tls.CLIENT_AUTH, false)).transport().isMutuallyAuthenticated())
                .isFalse();
    }

    // Configurations.

    @Test
    void shouldRefuseOpenSsl() {
        assertThat(refusal(with(conf, StormTls.REQUIRE_OPEN_SSL, true)))
                .contains(StormTls.REQUIRE_OPEN_SSL, "set it to false");
    }

    @Test
    void shouldRefuseOtherVersionsAndCiphers() {
        assertThat(refusal(with(conf, StormTls.PROTOCOLS, "SSLv3")))
                .contains(StormTls.PROTOCOLS, "SSLv3", "[TLSv1.3, TLSv1.2]");
        assertThat(refusal(with(conf, StormTls.CIPHERS, List.of("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))))
                .contains(StormTls.CIPHERS, "not a cipher suite of TLSv1.3", "TLS_AES_256_GCM_SHA384");
    }

    @Test
    void shouldRefuseTwoWaysToHaveTlsAtOnce() {
        assertThat(refusal(with(conf, Tls.ENABLED, true))).contains(Tls.ENABLED, TransportOptions.STORM_TLS, "both");
    }

    @Test
    void shouldNameWhatIsNotSet() {
        assertThat(refusal(Map.of(TransportOptions.STORM_TLS, true))).contains(StormTls.KEYSTORE + ".path is not set");
        Map<String, Object> without = with(conf, StormTls.CLIENT_KEYSTORE + ".path", "/some/where");
        assertThat(refusal(without)).contains(StormTls.CLIENT_KEYSTORE + ".password is not set");
    }

    @Test
    void shouldNameAStoreThatCannotBeOpened() throws Exception {
        assertThat(refusal(with(conf, StormTls.TRUSTSTORE + ".path", folder.resolve("nowhere.jks"))))
                .contains(StormTls.TRUSTSTORE + ".path", "there is no file", "nowhere.jks");
        assertThat(refusal(with(conf, StormTls.KEYSTORE + ".password", "wrong")))
                .contains(StormTls.KEYSTORE + ".path", "cannot be used", "Password");
        Path garbage = Files.writeString(folder.resolve("garbage.jks"), "not a store");
        assertThat(refusal(with(conf, StormTls.KEYSTORE + ".path", garbage)))
                .contains(StormTls.KEYSTORE + ".path", "garbage.jks");
    }

    @Test
    void shouldNameAStoreThatHoldsTheWrongThings() {
        assertThat(refusal(with(conf, StormTls.KEYSTORE + ".path", conf.get(StormTls.TRUSTSTORE + ".path"))))
                .contains(StormTls.KEYSTORE + ".path", "has 0 keys");
        assertThat(refusal(with(conf, StormTls.TRUSTSTORE + ".path", conf.get(StormTls.KEYSTORE + ".path"))))
                .contains(StormTls.TRUSTSTORE + ".path", "no trusted certificate");
    }

    @Test
    void shouldSayWhenItsOwnCertificateHasExpired() throws Exception {
        assertThat(refusal(ours.expiredMember("old").writeStoresTo(folder("old"))))
                .contains(StormTls.KEYSTORE + ".path", "expired on");
    }
}
