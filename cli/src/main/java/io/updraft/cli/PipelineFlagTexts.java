package io.updraft.cli;

import io.updraft.pipeline.spec.KeyTable;
import java.util.Collections;
import java.util.Enumeration;
import java.util.ResourceBundle;
import java.util.Set;

/**
 * The help of the flags that stand for one key of a pipeline, from the table of its keys. Only the help loads that table.
 */
final class PipelineFlagTexts extends ResourceBundle {
    private static final Set<String> KEYS = Set.of(
            "FILE.follow",
            "CSV.delimiter",
            "FLATTEN.filter",
            "AGGREGATE.group_by",
            "AGGREGATE.every",
            "AGGREGATE.slide",
            "AGGREGATE.zone",
            "AGGREGATE.lateness",
            "TIME.disorder");

    @Override
    protected Object handleGetObject(String key) {
        String[] names = key.split("\\.", 2);
        return KEYS.contains(key) ? KeyTable.valueOf(names[0]).help(names[1]) : null;
    }

    @Override
    public Enumeration<String> getKeys() {
        return Collections.enumeration(KEYS);
    }
}
