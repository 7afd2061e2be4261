package io.updraft.cluster.codec;

/**
 * The bytes of a frame. Numbers of several bytes are little-endian. A varint has seven bits in a byte, the lowest first, with
 * the highest bit set in all bytes but the last (LEB128). A zigzag is a varint of {@code n << 1 ^ n >> 63}.
 *
 * <pre>
 *   frame        +---------+------+------+-- ... --+-----+
 *                | version | item | item |         | END |          nothing follows END, so a truncated frame is malformed
 *                +---------+------+------+-- ... --+-----+          at most {@link #MAX_ITEMS} tuples and as many reports
 *
 *   declaration  | 0x40 | task varint | stream string |             gives a stream of a task the next number: 0, 1, 2 ...
 *
 *   tuple          7   6   5    4     3      2      1   0
 *                +---+---+----+-----+------+------+---------+
 *                | 0 | 0 |root|owner|target|source| tracking|       bit set: the field follows;
 *                +---+---+----+-----+------+------+---------+       bit not set: the field is as in the previous tuple
 *                source   number of the stream, varint; 1 + number of values, varint, or 0: values are one kryo
 *                target   task, varint
 *                owner    executor, varint                          of ONLY_EDGE and ONE
 *                root     zigzag of root - (last root of this owner + 1); 0 if the field is absent
 *                edge     8 bytes                                   of ONE
 *                trees    number of them, varint;                   of MANY
 *                         each: owner varint, root as above (but it does not count as the last root), edge 8 bytes
 *                values   one after the other
 *
 *   report         7   6   5   4    3     2   1   0
 *                +---+-------+----+-----+-----------+
 *                | 1 | value |root|owner|   kind    |               kind: as in Batch
 *                +---+-------+----+-----+-----------+
 *                owner    executor, varint; if absent, as in the previous report
 *                root     as above, but relative to the last report
 *                value    0: zero, 1: one, 2: varint, 3: 8 bytes
 *
 *   END          | 0x41 |
 *
 *   value        0x00 null      0x01 false     0x02 true
 *                0x03 Byte      1 byte         0x04 Short     zigzag     0x05 Integer   zigzag     0x06 Long   zigzag
 *                0x07 Float     4 bytes        0x08 Double    8 bytes    0x09 Character varint
 *                0x0A string    length varint, a byte for each char
 *                0x0B string    length varint, two bytes for each char
 *                0x0C byte[]    length varint, bytes
 *                0x0D kryo      length varint, class and object as written by the topology's Kryo
 *                0x40 + n       string of n &lt; 64 chars, a byte for each
 *                0x80 + n       byte[] of n &lt; 64 bytes
 * </pre>
 *
 * <p>A string has one byte for each char if all its chars are Latin-1, else two bytes for each char. UTF-8 is not used because
 * it cannot encode a lone surrogate.
 *
 * <p>The previous tuple, the last root of each owner and the numbers of the streams carry over from one frame to the next.
 */
final class BatchLayout {
    static final int VERSION = 1;

    static final int TRACKING_MASK = 3;
    static final int UNTRACKED = 0;
    static final int ONLY_EDGE = 1;
    static final int ONE = 2;
    static final int MANY = 3;

    static final int SOURCE = 1 << 2;
    static final int TARGET = 1 << 3;
    static final int OWNER = 1 << 4;
    static final int ROOT = 1 << 5;

    static final int DECLARATION = 0x40;
    static final int END = 0x41;

    static final int REPORT = 0x80;
    static final int KIND_MASK = 7;
    static final int REPORT_OWNER = 1 << 3;
    static final int REPORT_ROOT = 1 << 4;
    static final int VALUE_SHIFT = 5;
    static final int VALUE_MASK = 3;
    static final int VALUE_ZERO = 0;
    static final int VALUE_ONE = 1;
    static final int VALUE_VARINT = 2;
    static final int VALUE_LONG = 3;

    static final int NULL = 0x00;
    static final int FALSE = 0x01;
    static final int TRUE = 0x02;
    static final int BYTE = 0x03;
    static final int SHORT = 0x04;
    static final int INTEGER = 0x05;
    static final int LONG = 0x06;
    static final int FLOAT = 0x07;
    static final int DOUBLE = 0x08;
    static final int CHARACTER = 0x09;
    static final int LATIN1 = 0x0A;
    static final int UTF16 = 0x0B;
    static final int BYTES = 0x0C;
    static final int KRYO = 0x0D;

    static final int SHORT_LATIN1 = 0x40;
    static final int SHORT_BYTES = 0x80;
    static final int SHORT_LENGTH = 64;

    /**
     * Most tuples, and most reports, of one frame. A tuple without values is one byte here and a hundred bytes in memory. The
     * limit keeps the memory of a decoded frame within a few times the length of the frame.
     */
    static final int MAX_ITEMS = 64 * 1024;

    /** Most bytes of the head and the numbers: of a tuple before its trees and values, or of a report. */
    static final int MAX_HEAD = 64;

    static final int MIN_TREE = 10;

    private BatchLayout() {}
}
