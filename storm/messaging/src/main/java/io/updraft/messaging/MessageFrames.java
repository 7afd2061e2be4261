package io.updraft.messaging;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * The frames of a session between two Storm workers. All numbers are big-endian.
 *
 * <pre>
 *   tuples, from the worker that connected; as many messages as fit into the frame
 *   +--------+---------------------------------------------+---
 *   | 1      | task (4) | length (4) | length bytes        | ...
 *   +--------+---------------------------------------------+---
 *   loads, to the worker that connected
 *   +--------+-----------+---------------------------------+---
 *   | 2      | count (4) | task (4) | load (8, IEEE 754)   | ...
 *   +--------+-----------+---------------------------------+---
 *   back-pressure, to the worker that connected; count -1: Storm gave no list
 *   +--------+------------------------------+--------------------------+-----------------------------+
 *   | 3      | length (4) | worker's id     | count (4) | task (4) ... | count (4) | task (4) ...    |
 *   |        |            | UTF-8           | under pressure           | no longer under pressure    |
 *   +--------+------------------------------+--------------------------+-----------------------------+
 * </pre>
 *
 * <p>The reader checks every number against the remaining bytes of the frame before it allocates.
 */
final class MessageFrames {

    static final byte TUPLES = 1;
    static final byte LOADS = 2;
    static final byte PRESSURE = 3;

    static final int KIND_BYTES = 1;
    static final int HEADER_BYTES = 8;

    private static final int LOAD_BYTES = 12;

    private MessageFrames() {}

    static long size(TaskMessage message) {
        return (long) HEADER_BYTES + message.message().length;
    }

    /** Adds a message. The caller has checked that there is room. */
    static void put(ByteBuffer frame, TaskMessage message) {
        frame.putInt(message.task()).putInt(message.message().length).put(message.message());
    }

    /** Reads the messages of a frame whose kind has been read. */
    static List<TaskMessage> tuples(ByteBuffer frame) {
        List<TaskMessage> messages = new ArrayList<>();
        while (frame.hasRemaining()) {
            need(frame, HEADER_BYTES, "the head of a message");
            int task = frame.getInt();
            byte[] bytes = new byte[count(frame, 1, "bytes of a message")];
            frame.get(bytes);
            messages.add(new TaskMessage(task, bytes));
        }
        return messages;
    }

    static ByteBuffer loads(Map<Integer, Double> loads) {
        ByteBuffer frame = ByteBuffer.allocate(KIND_BYTES + Integer.BYTES + loads.size() * LOAD_BYTES);
        frame.put(LOADS).putInt(loads.size());
        loads.forEach((task, load) -> frame.putInt(task).putDouble(load));
        return frame.flip();
    }

    static Map<Integer, Double> loads(ByteBuffer frame) {
        Map<Integer, Double> loads = new HashMap<>();
        for (int left = count(frame, LOAD_BYTES, "loads"); left > 0; left--) {
            loads.put(frame.getInt(), frame.getDouble());
        }
        return loads;
    }

    static ByteBuffer pressure(BackPressureStatus status) {
        byte[] worker = String.valueOf(status.workerId).getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(
                KIND_BYTES + 3 * Integer.BYTES + worker.length + bytes(status.bpTasks) + bytes(status.nonBpTasks));
        frame.put(PRESSURE).putInt(worker.length).put(worker);
        put(frame, status.bpTasks);
        put(frame, status.nonBpTasks);
        return frame.flip();
    }

    static BackPressureStatus pressure(ByteBuffer frame) {
        byte[] worker = new byte[count(frame, 1, "bytes of a worker's id")];
        frame.get(worker);
        return new BackPressureStatus(new String(worker, StandardCharsets.UTF_8), tasks(frame), tasks(frame));
    }

    private static int bytes(Collection<Integer> tasks) {
        return tasks == null ? 0 : tasks.size() * Integer.BYTES;
    }

    private static void put(ByteBuffer frame, Collection<Integer> tasks) {
        frame.putInt(tasks == null ? -1 : tasks.size());
        if (tasks != null) {
            tasks.forEach(frame::putInt);
        }
    }

    private static Collection<Integer> tasks(ByteBuffer frame) {
        need(frame, Integer.BYTES, "a number of tasks");
        if (frame.getInt(frame.position()) == -1) {
            frame.getInt();
            return null;
        }
        List<Integer> tasks = new ArrayList<>();
        for (int left = count(frame, Integer.BYTES, "tasks"); left > 0; left--) {
            tasks.add(frame.getInt());
        }
        return tasks;
    }

    /** Reads a count of items, and checks that the frame has bytes for all of them. */
    private static int count(ByteBuffer frame, int each, String items) {
        need(frame, Integer.BYTES, "a number of " + items);
        int count = frame.getInt();
        if (count < 0 || (long) count * each > frame.remaining()) {
            throw new IllegalArgumentException("a frame announces " + count + " " + items + ", but ends after "
                    + frame.remaining() + " bytes: the peer is not an Updraft worker");
        }
        return count;
    }

    private static void need(ByteBuffer frame, int bytes, String part) {
        if (frame.remaining() < bytes) {
            throw new IllegalArgumentException("a frame ends within " + part + ": the peer is not an Updraft worker");
        }
    }
}
