package io.updraft.bench.aggregate;

/**
 * The CPU time that a {@link PipelineMain} has used, so far or during the measurement. Its Java threads and the JVM's own threads,
 * which compile and collect garbage, together are the process. The thread that samples is not counted.
 *
 * @param nanos the time of the sample, or the length of the measurement
 * @param records the records that were read
 * @param processNanos CPU time of all threads
 * @param readNanos CPU time of the thread that reads files ahead
 * @param workNanos CPU time of the other Java threads
 * @param resultNanos the part of it that closed windows and wrote their results; 0 if it is not known
 * @param compileMillis elapsed time of compilations
 * @param gcMillis elapsed time of collections
 */
record PartUsage(
        long nanos,
        long records,
        long processNanos,
        long readNanos,
        long workNanos,
        long resultNanos,
        long compileMillis,
        long gcMillis) {

    PartUsage since(PartUsage earlier) {
        return new PartUsage(
                nanos - earlier.nanos,
                records - earlier.records,
                processNanos - earlier.processNanos,
                readNanos - earlier.readNanos,
                workNanos - earlier.workNanos,
                resultNanos - earlier.resultNanos,
                compileMillis - earlier.compileMillis,
                gcMillis - earlier.gcMillis);
    }

    /** {@return the CPU time of all Java threads} */
    long javaNanos() {
        return readNanos + workNanos;
    }

    /** {@return the CPU time of the JVM's own threads} */
    long jvmNanos() {
        return processNanos - javaNanos();
    }

    /** {@return microseconds per record} */
    double perRecord(long cpuNanos) {
        return cpuNanos / 1e3 / records;
    }
}
