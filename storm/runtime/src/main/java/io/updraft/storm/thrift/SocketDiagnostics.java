package io.updraft.storm.thrift;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the user of one TCP socket by its two addresses, by Linux's sock_diag(7). Takes microseconds, however many sockets
 * there are.
 *
 * <pre>
 *   request:  struct nlmsghdr (16 bytes), struct inet_diag_req_v2
 *             0 family | 1 protocol | 2 extensions | 4 states | 8 id
 *   answer:   struct nlmsghdr, struct inet_diag_msg
 *             0 family | 1 state | 4 id | 52 expires | 56, 60 queues | 64 uid | 68 inode
 *   id:       0 source port | 2 destination port | 4 source | 20 destination | 36 interface | 40 cookie
 *   error:    struct nlmsghdr, 0 error number, negative
 * </pre>
 */
final class SocketDiagnostics implements PeerUser {
    private static final Logger LOG = LoggerFactory.getLogger(SocketDiagnostics.class);

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOSED_ON_EXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int MSG_DONTWAIT = 0x40;

    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLMSG_ERROR = 2;
    private static final short NLM_F_REQUEST = 1;
    private static final byte IPPROTO_TCP = 6;
    private static final int ENOENT = 2;
    private static final int ANY = -1;
    private static final byte ESTABLISHED = 1;

    private static final int HEADER = 16;
    private static final int ADDRESS = 16;
    private static final int REQUEST = HEADER + 56;
    private static final int STATE_AT = HEADER + 1;
    private static final int UID_AT = HEADER + 64;
    private static final int INODE_AT = HEADER + 68;
    private static final int MAX_BYTES = 8192;

    private static final class C {
        private C() {}

        static native int socket(int domain, int type, int protocol) throws LastErrorException;

        static native NativeLong send(int socket, byte[] message, NativeLong length, int flags)
                throws LastErrorException;

        static native NativeLong recv(int socket, byte[] message, NativeLong length, int flags)
                throws LastErrorException;

        static native int close(int socket) throws LastErrorException;
    }

    /** Whether the kernel answers; determined once per process. */
    private static final class Kernel {
        static final boolean ANSWERS = answers();

        private static boolean answers() {
            if (!Platform.isLinux()) {
                return false;
            }
            try {
                Native.register(C.class, Platform.C_LIBRARY_NAME);
                InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
                return new SocketDiagnostics().of(nobody, nobody).isEmpty();
            } catch (IOException | LinkageError e) {
                LOG.info(
                        "the kernel's socket diagnostics are not available; reading its socket tables instead: {}",
                        e.toString());
                return false;
            }
        }
    }

    static boolean isAvailable() {
        return Kernel.ANSWERS;
    }

    @Override
    public OptionalInt of(InetSocketAddress peer, InetSocketAddress own) throws IOException {
        byte[] message = new byte[MAX_BYTES];
        int length = 0;
        try {
            int socket = C.socket(AF_NETLINK, SOCK_RAW_CLOSED_ON_EXEC, NETLINK_SOCK_DIAG);
            try {
                C.send(socket, request(peer, own), new NativeLong(REQUEST), 0);
                // The kernel answers within send, so the answer can be read without waiting.
                length = C.recv(socket, message, new NativeLong(MAX_BYTES), MSG_DONTWAIT)
                        .intValue();
            } finally {
                C.close(socket);
            }
            return user(ByteBuffer.wrap(message, 0, length).order(ByteOrder.nativeOrder()));
        } catch (LastErrorException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IOException("the kernel's socket diagnostics failed: " + e, e);
        }
    }

    private static byte[] request(InetSocketAddress peer, InetSocketAddress own) {
        boolean four = peer.getAddress() instanceof Inet4Address;
        ByteBuffer request = ByteBuffer.allocate(REQUEST).order(ByteOrder.nativeOrder());
        request.putInt(REQUEST).putShort(SOCK_DIAG_BY_FAMILY).putShort(NLM_F_REQUEST);
        request.putInt(0).putInt(0);
        request.put((byte) (four ? AF_INET : AF_INET6)).put(IPPROTO_TCP).putShort((short) 0);
        request.putInt(ANY);
        request.order(ByteOrder.BIG_ENDIAN).putShort((short) peer.getPort()).putShort((short) own.getPort());
        put(request, peer.getAddress());
        put(request, own.getAddress());
        request.order(ByteOrder.nativeOrder());
        request.putInt(peer.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0);
        request.putInt(ANY).putInt(ANY);
        return request.array();
    }

    private static void put(ByteBuffer request, InetAddress address) {
        int end = request.position() + ADDRESS;
        request.put(address.getAddress()).position(end);
    }

    private static OptionalInt user(ByteBuffer answer) throws IOException {
        short type = answer.getShort(Integer.BYTES);
        if (type == NLMSG_ERROR) {
            int error = -answer.getInt(HEADER);
            if (error == ENOENT) {
                return OptionalInt.empty();
            }
            throw new IOException("the kernel's socket diagnostics answer with error " + error);
        }
        if (type != SOCK_DIAG_BY_FAMILY) {
            throw new IOException("the kernel's socket diagnostics answer with a message of type " + type);
        }
        boolean connected = answer.get(STATE_AT) == ESTABLISHED && answer.getInt(INODE_AT) != 0;
        return connected ? OptionalInt.of(answer.getInt(UID_AT)) : OptionalInt.empty();
    }
}
