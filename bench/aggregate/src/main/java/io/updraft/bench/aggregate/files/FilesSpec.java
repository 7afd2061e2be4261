package io.updraft.bench.aggregate.files;

import io.updraft.bench.spec.Json;
import java.util.Map;

/**
 * The specification of one run that reads files, sent to a child JVM.
 *
 * @param mode the part of the pipeline to run
 * @param description the pipeline's description in YAML
 * @param records the number of records in the files
 * @param bytes the size of the files in bytes
 */
public record FilesSpec(Mode mode, String description, long records, long bytes) {

    /** The part of the pipeline that runs. */
    public enum Mode {
        /** The whole pipeline. */
        PIPELINE,
        /** One thread that reads and decodes. */
        DECODE,
        /** One thread that only reads. */
        READ
    }

    /** {@return the specification as JSON on one line} */
    public String toJson() {
        return Json.write(Map.of("mode", mode.name(), "description", description, "records", records, "bytes", bytes));
    }

    static FilesSpec fromJson(String text) {
        Map<String, Object> json = Json.readObject(text);
        return new FilesSpec(
                Mode.valueOf((String) json.get("mode")),
                (String) json.get("description"),
                (Long) json.get("records"),
                (Long) json.get("bytes"));
    }
}
