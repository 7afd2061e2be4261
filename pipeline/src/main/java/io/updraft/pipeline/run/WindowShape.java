package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Which windows a run writes: how long they are, by what their rows are grouped, and from where rows have their time. A word for it is
 * kept with positions. A run of the same name with other windows would go on in the middle of its first ones.
 */
final class WindowShape {

    private WindowShape() {}

    /** Of a run's windows; short, since it is kept with the position of each partition. */
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
