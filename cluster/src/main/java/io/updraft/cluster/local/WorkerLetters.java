package io.updraft.cluster.local;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * The dead letters that the processes of one worker have reported. Letters of processes that have ended leave first, the oldest
 * ones before others. Owned by the coordinator's thread.
 */
final class WorkerLetters {
    private final int most;

    /** The letters of the current process, by number. */
    private final TreeMap<Long, LetterRecord> current = new TreeMap<>();

    /** The letters of processes that have ended, by number. */
    private final TreeMap<Long, LetterRecord> ended = new TreeMap<>();

    /** {@code kept} is the number of letters that a process keeps. */
    WorkerLetters(int kept) {
        most = Math.min(kept, LetterRecord.MOST);
    }

    /** Notes letters that are new or have changed. */
    void onChanged(List<LetterRecord> letters) {
        letters.forEach(letter -> current.put(letter.number(), letter));
        evict();
    }

    /** Notes the letters that the process keeps, which are all of its letters. */
    void onReport(List<LetterRecord> letters) {
        current.clear();
        onChanged(letters);
    }

    /** Notes that the process has ended. */
    void onEnd() {
        current.values().forEach(letter -> ended.put(letter.number(), letter.withoutWorker()));
        current.clear();
    }

    private void evict() {
        while (current.size() + ended.size() > most) {
            (ended.isEmpty() ? current : ended).pollFirstEntry();
        }
    }

    /** {@return the letters, oldest first} */
    Collection<LetterRecord> all() {
        TreeMap<Long, LetterRecord> all = new TreeMap<>(ended);
        all.putAll(current);
        return all.values();
    }
}
