package io.updraft.transport.ucx;

import io.updraft.base.text.OneLine;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmRecvCallback;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerConnectionHandler;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The native objects of one transport: a context, a worker and registered memory. Used by one thread at a time. */
final class Ucx implements AutoCloseable {

    /** Bytes of a segment of data, its header included. */
    static final int SEGMENT_BYTES = 32 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Ucx.class);
    private static final int MESSAGE_ID = 0x55;
    private static final int SEGMENTS_PER_SLAB = 64;
    private static final int CONTROL_BYTES = 64;
    private static final int CONTROLS_PER_SLAB = 1024;

    /** The list of the files that this process has mapped. Linux appends a word to the name of a deleted file. */
    private static final Path MAPS = Path.of("/proc/self/maps");

    private static final Pattern LIBRARY = Pattern.compile("(/.*/jucx\\d+)/libjucx\\w*\\.so$");

    /** Divisor of the lockable memory: our slabs may take this share; UCX's own queues need the rest. */
    private static final int SHARE_OF_LOCKED = 2;

    final TransportChoice fabric;
    final SegmentPool segments;
    final SegmentPool controls;
    private final UcpContext context;
    private final UcpWorker worker;

    private Ucx(TransportChoice fabric, UcpContext context, long lockable) {
        this.fabric = fabric;
        this.context = context;
        worker = context.newWorker(new UcpWorkerParams());
        long most = fabric.rdma() ? lockable / SHARE_OF_LOCKED : Long.MAX_VALUE;
        segments = new SegmentPool(context, SEGMENT_BYTES, SEGMENTS_PER_SLAB, most);
        controls = new SegmentPool(context, CONTROL_BYTES, CONTROLS_PER_SLAB, most);
    }

    /** Opens the configured transports, or the next best ones with a warning. */
    static Ucx open(UcxSettings settings) throws TransportException {
        long lockable = LockedMemory.limit();
        TransportChoice fabric = TransportChoice.choose(settings.tls(), RdmaPort.all(), lockable);
        try {
            Ucx ucx = openOrDoWithoutRdma(fabric, settings, lockable);
            ucx.fabric.warning().ifPresent(LOG::warn);
            return ucx;
        } catch (UcxException refused) {
            throw new TransportException(
                    "ucx: UCX cannot use '" + fabric.tls() + "' here (" + refused.getMessage() + "): set "
                            + UcxSettings.TLS + " to auto, shm or tcp",
                    refused);
        } catch (UnsatisfiedLinkError | ExceptionInInitializerError | NoClassDefFoundError missing) {
            throw new TransportException(
                    "ucx: the UCX library cannot be loaded (" + OneLine.first(missing) + "): install it with"
                            + " 'apt-get install libucx0 ibverbs-providers' (Debian, amd64). The directory java.io.tmpdir also needs 1 MB, and"
                            + " must not be mounted noexec. Or choose another transport",
                    missing);
        }
    }

    private static Ucx openOrDoWithoutRdma(TransportChoice fabric, UcxSettings settings, long lockable) {
        try {
            return open(fabric, settings, lockable);
        } catch (UcxException refused) {
            if (!fabric.rdma()) {
                throw refused;
            }
            String reason = "UCX could not use the device (" + refused.getMessage() + ")";
            return open(fabric.withoutRdma(settings.tls(), reason), settings, lockable);
        }
    }

    private static Ucx open(TransportChoice fabric, UcxSettings settings, long lockable) {
        UcpParams params = new UcpParams().requestAmFeature();
        configuration(fabric, settings).forEach(params::setConfig);
        UcpContext context = new UcpContext(params);
        deleteExtractedLibrary();
        try {
            return new Ucx(fabric, context, lockable);
        } catch (UcxException refused) {
            context.close();
            throw refused;
        }
    }

    /**
     * Deletes the file from which jucx has loaded its native library: half a megabyte in its own folder in the temporary
     * directory. jucx deletes it when the JVM exits, so a killed JVM leaves it behind. Once the library is loaded, the file is
     * not needed.
     */
    private static void deleteExtractedLibrary() {
        try (Stream<String> maps = Files.lines(MAPS)) {
            List<Matcher> found =
                    maps.map(LIBRARY::matcher).filter(Matcher::find).toList();
            for (Matcher library : found) {
                Files.deleteIfExists(Path.of(library.group()));
                Files.deleteIfExists(Path.of(library.group(1)));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("cannot delete the UCX library file; it stays until this process exits", e);
        }
    }

    /**
     * Builds UCX's settings. The configuration overrides the environment, and the environment overrides Updraft's defaults.
     * Required settings override all.
     */
    private static Map<String, String> configuration(TransportChoice fabric, UcxSettings settings) {
        Map<String, String> all = new TreeMap<>();
        // UCX logs to the standard output, including the end of a peer. The handlers receive the reasons anyway.
        all.put("LOG_LEVEL", "fatal");
        // With the default of 8 KiB, one segment takes four writes.
        all.put("TCP_TX_SEG_SIZE", "70k");
        all.put("TCP_RX_SEG_SIZE", "70k");
        all.keySet().removeIf(key -> System.getenv("UCX_" + key) != null);
        all.putAll(settings.ucx());
        all.put("TLS", fabric.tls());
        // Only one of both: with both, UCX would listen over TCP as well. See PortExchanges.
        all.put("SOCKADDR_TLS_PRIORITY", fabric.rdma() ? "rdmacm" : "tcp");
        all.put("MM_ERROR_HANDLING", "y");
        all.put("RNDV_THRESH", "inf");
        all.put("MAX_EAGER_RAILS", "1");
        all.put("MAX_RNDV_RAILS", "1");
        return all;
    }

    /** Sets the callback for received frames. It is called from within {@link #progress} and must not throw. */
    void receive(UcpAmRecvCallback callback) {
        worker.setAmRecvHandler(MESSAGE_ID, callback);
    }

    boolean progress() {
        try {
            return worker.progress() > 0;
        } catch (Exception thrown) {
            throw new IllegalStateException("ucx: a callback threw an exception", thrown);
        }
    }

    UcpListener listen(InetSocketAddress address, UcpListenerConnectionHandler handler) {
        return worker.newListener(new UcpListenerParams().setSockAddr(address).setConnectionHandler(handler));
    }

    /** Creates an endpoint. {@code failed} receives the reason when UCX gives the endpoint up, from within a callback. */
    UcpEndpoint connect(InetSocketAddress address, Consumer<String> failed) {
        return worker.newEndpoint(endpoint(failed).setSocketAddress(address));
    }

    UcpEndpoint accept(UcpConnectionRequest request, Consumer<String> failed) {
        return worker.newEndpoint(endpoint(failed).setConnectionRequest(request));
    }

    private static UcpEndpointParams endpoint(Consumer<String> failed) {
        return new UcpEndpointParams()
                .setPeerErrorHandlingMode()
                .setErrorHandler((endpoint, status, message) -> failed.accept(message));
    }

    /**
     * Sends a sealed segment, which UCX needs until {@link Segment#isFree}.
     *
     * @param introduce whether the peer must learn from which endpoint the segment comes
     * @throws UcxException when the endpoint has failed
     */
    static void send(UcpEndpoint endpoint, Segment segment, boolean introduce) {
        long flags = UcpConstants.UCP_AM_SEND_FLAG_EAGER | (introduce ? UcpConstants.UCP_AM_SEND_FLAG_REPLY : 0);
        segment.sent(endpoint.sendAmNonBlocking(
                MESSAGE_ID, 0, 0, segment.address, segment.bytes.limit(), flags, null, segment.params));
    }

    /** Closes all native objects. All endpoints and listeners must have been closed before. */
    @Override
    public void close() {
        worker.close();
        segments.close();
        controls.close();
        context.close();
    }
}
