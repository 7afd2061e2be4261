package io.updraft.pipeline.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Which windows a run writes: how long they are, by what their rows are grouped, and from where rows have their time. It is kept with
 * positions. A run of the same name with other windows would go on in the middle of its first ones.
 */
final class WindowShape {

    private final Duration size;
    private final Duration slide;
    private final String grouping;

    private WindowShape(Duration size, Duration slide, String grouping) {
        this.size = size;
        this.slide = slide;
        this.grouping = grouping;
    }

    static WindowShape of(RunPlan plan) {
        List<String> dimensions = plan.query().dimensions().stream().sorted().toList();
        CRC32C hash = new CRC32C();
        String all = dimensions + " " + plan.time().kind() + " " + plan.time().field();
        hash.update(all.getBytes(StandardCharsets.UTF_8));
        return new WindowShape(
                plan.query().window().size(), plan.query().window().slide(), Long.toHexString(hash.getValue()));
    }

    /** The word that is kept; other windows have another. */
    String word() {
        return size.toMillis() + ":" + slide.toMillis() + ":" + grouping;
    }

    /**
     * Compares with what was kept.
     *
     * @param kept a word, of this or an earlier version; empty if none was kept
     * @return what differs, in a few words; null if nothing does
     */
    String differenceTo(String kept) {
        if (kept.isEmpty() || kept.equals(word())) {
            return null;
        }
        String[] words = kept.split(":");
        return words.length == 3 && words[2].equals(grouping)
                ? "'every' or 'slide' is another"
                : "'every', 'slide', 'group_by' or 'time' is another";
    }
}
