package io.updraft.pipeline.run;

/**
 * How many records a task could use.
 *
 * @param usable records that gave a row with a valid time, late rows included
 * @param unusable records that gave none
 * @param firstUnusable the place of the first unusable record, and the reason; null if there is none
 */
record UsedRecords(long usable, long unusable, String firstUnusable) {

    /** No records. */
    public static final UsedRecords NONE = new UsedRecords(0, 0, null);

    /** Returns the sum of these records and later ones. */
    public UsedRecords plus(UsedRecords more) {
        return new UsedRecords(
                usable + more.usable,
                unusable + more.unusable,
                firstUnusable == null ? more.firstUnusable : firstUnusable);
    }
}
