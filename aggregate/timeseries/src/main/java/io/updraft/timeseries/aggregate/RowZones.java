package io.updraft.timeseries.aggregate;

import io.updraft.base.text.VisibleText;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.RecordRow;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The zones that rows name in a field, each with its panes. A row whose text was seen before makes no garbage. One thread only. */
final class RowZones {

    /** More texts than there are zones: most are unknown zones, and are forgotten together. */
    private static final int MAX_TEXTS = 1 << 12;
    /** The most characters of a text in a message. */
    private static final int MAX_SHOWN = 60;

    private final WindowSpec window;
    private final String field;
    private final int slot;
    private final Map<ZoneId, ZonePanes> zones = new HashMap<>();

    /** The texts, and the zone of each by its id; null for an unknown zone. */
    private TextDictionary texts;

    private ZonePanes[] byText = new ZonePanes[16];

    /** The text of the row before, and its zone; the text has no length before the first row. */
    private byte[] lastText = new byte[32];

    private int lastLength = -1;
    private ZonePanes last;

    RowZones(Query query) {
        window = query.window();
        field = window.zoneField();
        slot = query.input().slot(field);
        texts = new TextDictionary(field);
    }

    /** Returns the zone of a row; null if the row has none, or an unknown one. */
    ZonePanes of(RecordRow row) {
        if (!row.has(slot)) {
            row.expand();
        }
        if (row.kind(slot) != RecordRow.UTF8) {
            return row.has(slot) ? find(row) : null;
        }
        byte[] utf8 = row.utf8(slot);
        int from = row.from(slot);
        int length = row.length(slot);
        if (length != lastLength || !Arrays.equals(utf8, from, from + length, lastText, 0, length)) {
            last = find(row);
            if (length > lastText.length) {
                lastText = new byte[length];
            }
            System.arraycopy(utf8, from, lastText, 0, length);
            lastLength = length;
        }
        return last;
    }

    private ZonePanes find(RecordRow row) {
        if (texts.size() >= MAX_TEXTS) {
            texts = new TextDictionary(field);
        }
        int before = texts.size();
        int id = texts.id(row, slot);
        if (texts.size() > before) {
            byText = id < byText.length ? byText : Arrays.copyOf(byText, 2 * id);
            byText[id] = zone((String) row.value(slot));
        }
        return byText[id];
    }

    private ZonePanes zone(String text) {
        try {
            return zones.computeIfAbsent(ZoneId.of(text), this::panes);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private ZonePanes panes(ZoneId zone) {
        boolean slides = window.calendar().slide() != window.calendar().unit();
        return new ZonePanes(window.grid(zone), slides ? zone : null);
    }

    /** Returns why a row has no zone, in one line. */
    String mistake(RecordRow row) {
        Object text = row.value(slot);
        if (text == null) {
            return "no value in the zone field " + field;
        }
        String shown = text.toString();
        shown = shown.length() > MAX_SHOWN ? shown.substring(0, MAX_SHOWN) + "..." : shown;
        return field + ": '" + VisibleText.of(shown) + "' is not a time zone, such as UTC, +01:00 or Europe/Vienna";
    }

    /** Returns all zones that rows have named. */
    Collection<ZonePanes> all() {
        return zones.values();
    }
}
