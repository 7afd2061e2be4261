package io.updraft.pipeline.sink;

import com.github.luben.zstd.Zstd;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Writes a result as a Parquet file with Apache's own writer. That writer was made for Hadoop. With our own compression and a
 * plain configuration, none of Hadoop's classes is loaded, although signatures name two of them.
 */
final class ParquetFile {

    private ParquetFile() {}

    static void write(WindowResult result, Path path) throws IOException {
        MessageType type = type(result.schema());
        try (ParquetWriter<RecordRow> writer =
                new Builder(new LocalOutputFile(path), new Groups(type, result)).build()) {
            result.forEach(row -> write(writer, row));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void write(ParquetWriter<RecordRow> writer, RecordRow row) {
        try {
            writer.write(row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MessageType type(Schema columns) {
        Types.MessageTypeBuilder message = Types.buildMessage();
        for (String name : RowText.WINDOW) {
            message.addField(column(new Schema.Field(name, FieldType.TIME), Type.Repetition.REQUIRED));
        }
        columns.fields().forEach(field -> message.addField(column(field, Type.Repetition.OPTIONAL)));
        return message.named("result");
    }

    private static PrimitiveType column(Schema.Field field, Type.Repetition repetition) {
        return switch (field.type()) {
            case TEXT ->
                Types.primitive(PrimitiveTypeName.BINARY, repetition)
                        .as(LogicalTypeAnnotation.stringType())
                        .named(field.name());
            case LONG -> Types.primitive(PrimitiveTypeName.INT64, repetition).named(field.name());
            case DOUBLE -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition).named(field.name());
            case DECIMAL ->
                Types.primitive(PrimitiveTypeName.INT64, repetition)
                        .as(LogicalTypeAnnotation.decimalType(field.scale(), Decimals.MAX_DIGITS))
                        .named(field.name());
            case BOOLEAN ->
                Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).named(field.name());
            case TIME ->
                Types.primitive(PrimitiveTypeName.INT64, repetition)
                        .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS))
                        .named(field.name());
        };
    }

    private static final class Builder extends ParquetWriter.Builder<RecordRow, Builder> {

        private final Groups groups;

        Builder(OutputFile file, Groups groups) {
            super(file);
            this.groups = groups;
            withConf(new PlainParquetConfiguration());
            withCodecFactory(new ZstdCodecs());
            withCompressionCodec(CompressionCodecName.ZSTD);
            withWriteMode(ParquetFileWriter.Mode.OVERWRITE);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Deprecated
        @Override
        protected WriteSupport<RecordRow> getWriteSupport(Configuration hadoop) {
            return groups;
        }

        @Override
        protected WriteSupport<RecordRow> getWriteSupport(ParquetConfiguration plain) {
            return groups;
        }
    }

    /** Hands rows to Parquet value by value. */
    private static final class Groups extends WriteSupport<RecordRow> {

        private final MessageType type;
        private final WindowResult result;
        private final Schema.Field[] fields;
        private RecordConsumer out;

        Groups(MessageType type, WindowResult result) {
            this.type = type;
            this.result = result;
            this.fields = result.schema().fields().toArray(Schema.Field[]::new);
        }

        @Deprecated
        @Override
        public WriteContext init(Configuration hadoop) {
            return new WriteContext(type, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration plain) {
            return new WriteContext(type, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            out = consumer;
        }

        @Override
        public void write(RecordRow row) {
            out.startMessage();
            time(0, result.window().start());
            time(1, result.window().end());
            for (int slot = 0; slot < fields.length; slot++) {
                if (row.has(slot)) {
                    column(row, slot);
                }
            }
            out.endMessage();
        }

        private void time(int column, long millis) {
            out.startField(RowText.WINDOW[column], column);
            out.addLong(millis);
            out.endField(RowText.WINDOW[column], column);
        }

        private void column(RecordRow row, int slot) {
            int column = RowText.WINDOW.length + slot;
            out.startField(fields[slot].name(), column);
            switch (fields[slot].type()) {
                case TEXT -> out.addBinary(text(row, slot));
                case DOUBLE -> out.addDouble(row.getDouble(slot));
                case BOOLEAN -> out.addBoolean(row.getLong(slot) != 0);
                case LONG, TIME, DECIMAL -> out.addLong(row.getLong(slot));
            }
            out.endField(fields[slot].name(), column);
        }

        /** Marks the bytes as reused, so that Parquet copies those that it keeps. */
        private static Binary text(RecordRow row, int slot) {
            byte[] text = ValueText.text(row, slot);
            return Binary.fromReusedByteArray(
                    text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text));
        }
    }

    /** Compresses with zstd-jni directly: Parquet's own codec needs Hadoop's interfaces. */
    private static final class ZstdCodecs implements CompressionCodecFactory {

        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName name) {
            return new ZstdCompressor();
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
            throw new UnsupportedOperationException("only writes");
        }

        @Override
        public void release() {
            // There are no resources to release.
        }
    }

    private static final class ZstdCompressor implements CompressionCodecFactory.BytesInputCompressor {

        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
            return BytesInput.from(Zstd.compress(bytes.toInputStream().readAllBytes()));
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.ZSTD;
        }

        @Override
        public void release() {
            // There are no resources to release.
        }
    }
}
