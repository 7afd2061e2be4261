package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.netty.Certificates.Authority;
import io.updraft.transport.netty.ConnectedEnds.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two authorities, a configuration with a certificate, and transports that are closed after the test. */
@ExtendWith(NoLeaks.class)
abstract class TlsFixture {

    @AutoClose
    final ConnectedEnds ends = new ConnectedEnds();

    @TempDir
    Path folder;

    Authority ours;
    Authority theirs;
    Map<String, Object> conf;

    @BeforeEach
    final void makeCertificates() throws Exception {
        ours = Certificates.authority("ours");
        theirs = Certificates.authority("theirs");
        conf = write(ours.member("worker"), folder("ours"));
    }

    /** Writes certificates into a folder, and gives the configuration that names them. */
    abstract Map<String, Object> write(Certificates certificates, Path into) throws Exception;

    final Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    static Map<String, Object> with(Map<String, Object> conf, String key, Object value) {
        Map<String, Object> more = new HashMap<>(conf);
        more.put(key, value);
        return more;
    }

    /** Has one transport connect to another. {@return what has heard how that went} */
    final ChannelRecorder connect(Map<String, Object> listening, Map<String, Object> connecting) throws Exception {
        Listener listener = ends.listener(listening);
        ChannelRecorder near = new ChannelRecorder();
        ends.end(connecting).connect(listener.address(), near);
        return near;
    }

    /** {@return why there is no transport with this configuration} */
    static String refusal(Map<String, Object> conf) {
        String message = catchThrowableOfType(
                        TransportException.class, () -> Transports.create("netty", TransportOptions.of(conf)))
                .getMessage();
        assertThat(message.lines()).hasSize(1);
        return message;
    }
}
