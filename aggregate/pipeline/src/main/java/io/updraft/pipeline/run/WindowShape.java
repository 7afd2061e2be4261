package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A fingerprint of the windows of a run: their length, their grouping, and the source of the time. It is stored with positions.
 * A run with the same name but other windows would otherwise continue in the middle of its first windows.
 */
final class WindowShape {

    private WindowShape() {}

    /** Returns the fingerprint for a plan; short, since it is stored with the position of each partition. */
    static String of(RunPlan plan) {
        WindowSpec window = plan.query().window();
        List<String> dimensions = plan.query().dimensions().stream().sorted().toList();
        CRC32C hash = new CRC32C();
        hash.update((window.size() + " " + window.slide() + " " + dimensions + " "
                        + plan.time().kind() + " " + plan.time().field())
                .getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(hash.getValue());
    }
}
