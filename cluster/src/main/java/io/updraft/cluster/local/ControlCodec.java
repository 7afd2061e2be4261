package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.AskQuiet;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.AskSwitched;
import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.Deactivate;
import io.updraft.cluster.local.ControlMessage.Died;
import io.updraft.cluster.local.ControlMessage.Failed;
import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.cluster.local.ControlMessage.Peers;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Ready;
import io.updraft.cluster.local.ControlMessage.StartFailed;
import io.updraft.cluster.local.ControlMessage.State;
import io.updraft.cluster.local.ControlMessage.Stop;
import io.updraft.cluster.local.ControlMessage.Switched;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.cluster.local.ControlMessage.WorkerAddress;
import io.updraft.transport.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.utils.Utils;

/**
 * Encodes and decodes control messages, without the length that precedes them:
 *
 * <pre>
 *   +---------+------+----------------------+
 *   | version | type | fields, big-endian   |
 *   +---------+------+----------------------+
 *      1 byte  1 byte
 * </pre>
 */
final class ControlCodec {
    static final int VERSION = 4;

    /** The types, in the order of their numbers on the wire. */
    private static final List<Class<? extends ControlMessage>> TYPES = List.of(
            Hello.class,
            Ready.class,
            StartFailed.class,
            State.class,
            Quiet.class,
            Failed.class,
            Died.class,
            Assignment.class,
            Peers.class,
            Activate.class,
            Deactivate.class,
            AskState.class,
            AskQuiet.class,
            Stop.class,
            Switches.class,
            AskSwitched.class,
            Switched.class);

    private ControlCodec() {}

    static byte[] encode(ControlMessage message) {
        try {
            Writer out = new Writer();
            out.octet(VERSION);
            out.octet(TYPES.indexOf(message.getClass()));
            write(out, message);
            return out.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
    }

    static ControlMessage decode(ByteBuffer bytes) throws IOException {
        Reader in = new Reader(bytes);
        int version = in.octet();
        if (version != VERSION) {
            throw new IOException("a control message has version " + version + ", but this side has version " + VERSION
                    + ": run coordinator and workers from the same build");
        }
        ControlMessage message = read(in, in.octet());
        if (in.remaining() > 0) {
            throw new IOException(
                    "a " + message.getClass().getSimpleName() + " has " + in.remaining() + " bytes after its end");
        }
        return message;
    }

    private static void write(Writer out, ControlMessage message) throws IOException {
        if (message instanceof Hello hello) {
            out.number(hello.worker());
            out.number(hello.incarnation());
            out.number(hello.pid());
        } else if (message instanceof Ready ready) {
            endpoints(out, ready.address());
        } else if (message instanceof StartFailed failed) {
            out.text(failed.message());
        } else if (message instanceof State state) {
            out.number(state.question());
            out.snapshot(state.snapshot());
        } else if (message instanceof Quiet quiet) {
            out.number(quiet.question());
            out.flag(quiet.idle());
            out.number(quiet.sent());
            out.number(quiet.received());
        } else if (message instanceof Switched switched) {
            out.number(switched.question());
        } else if (message instanceof Failed failed) {
            out.report(failed.report());
        } else if (message instanceof Died died) {
            out.report(died.report());
        } else {
            writeOrder(out, message);
        }
    }

    /** Writes a message that the coordinator sends. */
    private static void writeOrder(Writer out, ControlMessage message) throws IOException {
        if (message instanceof Assignment assignment) {
            out.text(assignment.name());
            out.text(assignment.id());
            out.number(assignment.workers());
            out.octets(assignment.topology());
            out.text(assignment.conf());
            out.text(assignment.jar());
            out.list(assignment.behind(), out::text);
            out.octets(assignment.secret());
            out.number(assignment.seed());
        } else if (message instanceof Peers peers) {
            out.list(peers.workers(), worker -> {
                out.number(worker.worker());
                out.number(worker.incarnation());
                endpoints(out, worker.address());
            });
        } else if (message instanceof AskState ask) {
            out.number(ask.question());
        } else if (message instanceof AskQuiet ask) {
            out.number(ask.question());
        } else if (message instanceof AskSwitched ask) {
            out.number(ask.question());
        } else if (message instanceof Switches switches) {
            switches(out, switches);
        }
    }

    private static ControlMessage read(Reader in, int type) throws IOException {
        return switch (type) {
            case 0 -> new Hello(in.number(), in.longNumber(), in.longNumber());
            case 1 -> new Ready(endpoints(in));
            case 2 -> new StartFailed(in.text());
            case 3 -> new State(in.longNumber(), in.snapshot());
            case 4 -> new Quiet(in.longNumber(), in.flag(), in.longNumber(), in.longNumber());
            case 5 -> new Failed(in.report());
            case 6 -> new Died(in.report());
            case 7 ->
                new Assignment(
                        in.text(),
                        in.text(),
                        in.number(),
                        in.octets(),
                        in.text(),
                        in.text(),
                        in.list(in::text),
                        in.octets(),
                        in.longNumber());
            case 8 -> new Peers(in.list(() -> new WorkerAddress(in.number(), in.longNumber(), endpoints(in))));
            case 9 -> new Activate();
            case 10 -> new Deactivate();
            case 11 -> new AskState(in.longNumber());
            case 12 -> new AskQuiet(in.longNumber());
            case 13 -> new Stop();
            case 14 -> switches(in);
            case 15 -> new AskSwitched(in.longNumber());
            case 16 -> new Switched(in.longNumber());
            default -> throw new IOException("unknown type of control message: " + type);
        };
    }

    private static void switches(Writer out, Switches switches) throws IOException {
        out.list(switches.debug().entrySet(), each -> {
            out.text(each.getKey());
            out.flag(each.getValue().is_enable());
            out.number(Double.doubleToLongBits(each.getValue().get_samplingpct()));
        });
        out.octets(Utils.thriftSerialize(switches.levels()));
    }

    private static Switches switches(Reader in) throws IOException {
        Map<String, DebugOptions> debug = new HashMap<>();
        for (Map.Entry<String, DebugOptions> each : in.list(() -> Map.entry(String.valueOf(in.text()), debug(in)))) {
            debug.put(each.getKey(), each.getValue());
        }
        try {
            return new Switches(debug, Utils.thriftDeserialize(LogConfig.class, in.octets()));
        } catch (RuntimeException e) {
            throw new IOException("the log levels of a control message cannot be decoded: " + e.getMessage(), e);
        }
    }

    private static DebugOptions debug(Reader in) throws IOException {
        DebugOptions options = new DebugOptions();
        options.set_enable(in.flag());
        double percent = Double.longBitsToDouble(in.longNumber());
        if (options.is_enable()) {
            options.set_samplingpct(percent);
        }
        return options;
    }

    private static void endpoints(Writer out, Endpoints endpoints) throws IOException {
        out.flag(endpoints != null);
        if (endpoints != null) {
            out.text(endpoints.host());
            address(out, endpoints.near());
            address(out, endpoints.far());
        }
    }

    private static void address(Writer out, Address address) throws IOException {
        out.text(address.host());
        out.number(address.port());
    }

    private static Endpoints endpoints(Reader in) throws IOException {
        return in.flag() ? new Endpoints(in.text(), address(in), address(in)) : null;
    }

    private static Address address(Reader in) throws IOException {
        try {
            return new Address(in.text(), in.number());
        } catch (IllegalArgumentException e) {
            throw new IOException("a control message has an invalid address: " + e.getMessage(), e);
        }
    }
}
