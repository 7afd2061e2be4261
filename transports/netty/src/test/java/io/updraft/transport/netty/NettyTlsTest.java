package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.updraft.transport.Address;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.netty.ConnectedEnds.End;
import io.updraft.transport.netty.ConnectedEnds.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Which peers TLS accepts and refuses, and the messages for users. */
final class NettyTlsTest extends TlsFixture {

    @Override
    Map<String, Object> write(Certificates certificates, Path into) throws Exception {
        return certificates.writeTo(into);
    }

    // Configurations.

    @Test
    void shouldNameTheKeyThatIsNotSet() {
        assertThat(refusal(Map.of(Tls.ENABLED, true))).contains(Tls.CERT).contains("not set");
    }

    @Test
    void shouldNameTheFileThatIsMissing() {
        assertThat(refusal(with(conf, Tls.TRUST, folder.resolve("nowhere.pem"))))
                .contains(Tls.TRUST)
                .contains("nowhere.pem")
                .contains("there is no file");
    }

    @Test
    void shouldNameAFileWithoutACertificate() throws Exception {
        Files.writeString(Path.of((String) conf.get(Tls.CERT)), "not a certificate");
        assertThat(refusal(conf)).contains(Tls.CERT).contains("no certificate");
    }

    @Test
    void shouldNameAFileWithoutAKey() throws Exception {
        Files.writeString(Path.of((String) conf.get(Tls.KEY)), "not a key");
        assertThat(refusal(conf)).contains(Tls.KEY).contains("PKCS#8");
    }

    @Test
    void shouldNameAKeyOfAnotherCertificate() throws Exception {
        Files.writeString(
                Path.of((String) conf.get(Tls.KEY)),
                ours.member("another").member().getPrivateKeyPEM());
        assertThat(refusal(conf)).contains(Tls.KEY).contains("does not belong");
    }

    @Test
    void shouldSayWhenItsOwnCertificateHasExpired() throws Exception {
        assertThat(refusal(ours.expiredMember("old").writeTo(folder("old"))))
                .contains(Tls.CERT)
                .contains("expired on");
    }

    @Test
    void shouldRefuseASettingThatIsNoFlag() {
        assertThat(refusal(with(conf, Tls.CLIENT_AUTH, "perhaps")))
                .contains(Tls.CLIENT_AUTH)
                .contains("perhaps");
    }

    // Peers.

    @Test
    void shouldLetInWhoHasACertificateOfOurs() throws Exception {
        Listener listener = ends.listener(conf);
        ChannelRecorder near = new ChannelRecorder();
        ends.end(conf).connect(listener.address(), near);
        assertThat(near.reason()).isNull();
        assertThat(listener.first().isOpened()).isTrue();
    }

    @Test
    void shouldNotTrustAListenerWhoseAuthorityIsUnknown() throws Exception {
        Listener listener = ends.listener(theirs.member("stranger").writeTo(folder("theirs")));
        ChannelRecorder near = new ChannelRecorder();
        ends.end(conf).connect(listener.address(), near);
        assertThat(near.reason()).contains("is not trusted").contains(Tls.TRUST);
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldNotLetInWhoseAuthorityIsUnknown() throws Exception {
        Listener listener = ends.listener(conf);
        Map<String, Object> peer = theirs.member("stranger").writeTo(folder("theirs"));
        ChannelRecorder near = new ChannelRecorder();
        End end = ends.end(with(peer, Tls.TRUST, conf.get(Tls.TRUST)));
        end.connect(listener.address(), near);
        assertThat(end.reasonOf(near)).contains("has refused TLS");
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldNotLetInWhoShowsNoCertificate() throws Exception {
        Listener listener = ends.listener(conf);
        Certificates nobody = new Certificates(ours.bundle(), null);
        try (SSLSocket peer = (SSLSocket) nobody.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", listener.address().port())) {
            assertThat(isRefused(peer)).isTrue();
        }
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldLetInWhoShowsNoCertificateWhereNoneIsAskedFor() throws Exception {
        Listener listener = ends.listener(with(conf, Tls.CLIENT_AUTH, false));
        Certificates nobody = new Certificates(ours.bundle(), null);
        try (SSLSocket peer = (SSLSocket) nobody.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", listener.address().port())) {
            peer.startHandshake();
            assertThat(listener.first().isOpened()).isTrue();
        }
    }

    @Test
    void shouldNotLetInWhoseCertificateHasExpired() throws Exception {
        Listener listener = ends.listener(conf);
        try (SSLSocket peer = (SSLSocket) ours.expiredMember("old")
                .context()
                .getSocketFactory()
                .createSocket("127.0.0.1", listener.address().port())) {
            assertThat(isRefused(peer)).isTrue();
        }
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldSayThatTheCertificateOfAListenerHasExpired() throws Exception {
        try (SSLServerSocket server = (SSLServerSocket) ours.expiredMember("old")
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            Thread accepting = new Thread(() -> accept(server));
            accepting.start();
            ChannelRecorder near = new ChannelRecorder();
            ends.end(conf).connect(new Address("127.0.0.1", server.getLocalPort()), near);
            assertThat(near.reason()).contains("has expired").contains("127.0.0.1");
            accepting.join();
        }
    }

    private static void accept(SSLServerSocket server) {
        try (SSLSocket peer = (SSLSocket) server.accept()) {
            readsNothing(peer);
        } catch (IOException refused) {
            // As it should be: the other end does not like the certificate.
        }
    }

    /** The other end may have closed the connection while this one was still sending its part of the handshake. */
    private static boolean isRefused(SSLSocket peer) throws IOException {
        try {
            peer.startHandshake();
        } catch (SSLException | SocketException refused) {
            return true;
        }
        return readsNothing(peer);
    }

    private static boolean readsNothing(Socket peer) {
        try {
            return peer.getInputStream().read() < 0;
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void shouldNotTrustAListenerWhoseCertificateNamesAnotherHost() throws Exception {
        Map<String, Object> elsewhere = ours.memberOfHost("elsewhere.example").writeTo(folder("elsewhere"));
        Listener listener = ends.listener(elsewhere);
        ChannelRecorder near = new ChannelRecorder();
        ends.end(conf).connect(listener.address(), near);
        assertThat(near.reason()).contains("names other hosts").contains(Tls.VERIFY_HOST);
        ChannelRecorder lenient = new ChannelRecorder();
        ends.end(with(conf, Tls.VERIFY_HOST, false)).connect(listener.address(), lenient);
        assertThat(lenient.reason()).isNull();
    }

    @Test
    void shouldSayThatAPeerSpeaksNoTls() {
        assertThat(FailureReasons.of("1.2.3.4:5", new DecoderException(new NotSslRecordException("not a record"))))
                .contains("1.2.3.4:5 does not speak TLS")
                .contains(Tls.ENABLED);
    }

    @Test
    void shouldNotLetInAPlainClient() throws Exception {
        Listener listener = ends.listener(conf);
        End plain = ends.end(Map.of());
        ChannelRecorder near = new ChannelRecorder();
        plain.connect(listener.address(), near);
        plain.owner().run(() -> {
            near.channel().offer(ByteBuffer.allocate(100));
            near.channel().flush();
        });
        assertThat(plain.reasonOf(near)).isNotBlank();
        assertThat(listener.accepted()).isEmpty();
    }

    @Test
    void shouldTellAClientWithTlsThatThereIsNoneHere() throws Exception {
        Listener listener = ends.listener(Map.of());
        End secured = ends.end(conf);
        ChannelRecorder near = new ChannelRecorder();
        secured.connect(listener.address(), near);
        assertThat(near.isOpened()).isFalse();
        assertThat(listener.reasonOfFirst()).contains("speaks TLS").contains(Tls.ENABLED);
    }

    @Test
    void shouldGiveUpOnAPeerThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            ChannelRecorder near = new ChannelRecorder();
            ends.end(with(conf, TransportOptions.CONNECT_TIMEOUT, 300))
                    .connect(new Address("127.0.0.1", silent.getLocalPort()), near);
            assertThat(near.isOpened()).isFalse();
            assertThat(near.reason()).contains("within 300 ms");
        }
    }

    // Files that change.

    @Test
    void shouldUseNewCertificatesForNewConnections() throws Exception {
        Path changing = folder("changing");
        Listener listener = ends.listener(ours.member("first").writeTo(changing));
        End end = ends.end(conf);
        ChannelRecorder before = new ChannelRecorder();
        end.connect(listener.address(), before);
        assertThat(before.reason()).isNull();

        theirs.member("second").writeTo(changing);
        ChannelRecorder after = new ChannelRecorder();
        end.connect(listener.address(), after);
        assertThat(after.reason()).contains("is not trusted");
        assertThat(before.isClosed()).isFalse();

        theirs.member("worker").writeTo(folder("ours"));
        ChannelRecorder later = new ChannelRecorder();
        end.connect(listener.address(), later);
        assertThat(later.reason()).isNull();
    }

    @Test
    void shouldKeepTheOldCertificatesWhenTheNewOnesAreUnusable() throws Exception {
        Listener listener = ends.listener(ours.member("first").writeTo(folder("changing")));
        Files.writeString(folder("changing").resolve("cert.pem"), "half a file");
        ChannelRecorder near = new ChannelRecorder();
        ends.end(conf).connect(listener.address(), near);
        assertThat(near.reason()).isNull();
    }
}
