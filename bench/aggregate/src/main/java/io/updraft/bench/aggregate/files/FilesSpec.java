package io.updraft.bench.aggregate.files;

import io.updraft.bench.spec.Json;
import java.util.Map;

/**
 * What a child JVM is to do with a pipeline from files.
 *
 * @param mode how much of it
 * @param description of the pipeline, in YAML
 * @param records how many records the files have
 * @param bytes how many bytes
 */
public record FilesSpec(Mode mode, String description, long records, long bytes) {

    /** How much of a pipeline runs. */
    public enum Mode {
        /** All. */
        PIPELINE,
        /** One thread reads and decodes. */
        DECODE,
        /** One thread only reads. */
        READ
    }

    /** {@return the same on one line} */
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
