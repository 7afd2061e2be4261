package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.storm.legacy.LegacyJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a copy of a jar of Storm 0.9 for Storm 2. */
@Command(
        name = "convert",
        header = "Writes a copy of a jar of Storm 0.9 or 0.10 for 'storm jar' of Storm 2.",
        description = {
            "",
            "Renames backtype.storm and storm.trident, and replaces calls of methods that Storm 2 lacks. The copy runs in"
                    + " Updraft's and in Storm's own workers. 'updraft run' needs no copy: it converts such a jar itself.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  updraft convert old.jar new.jar",
            "  storm jar new.jar com.acme.Main -c topology.updraft.enabled=true",
            "",
            "Exit codes: 0 converted, or copied because no class uses Storm 0.9; 2 bad input."
        })
final class ConvertCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "JAR", description = "The jar.")
    private Path source;

    @Parameters(index = "1", paramLabel = "COPY", description = "The file to write. It must not exist.")
    private Path to;

    @Override
    public Integer call() {
        if (Files.exists(to)) {
            throw new UserError(to + " exists; name a new file", null);
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            out.println(
                    LegacyJar.convert(source, to)
                            ? to + ": converted for Storm 2"
                            : to + ": copied; " + source + " does not use Storm 0.9");
        } catch (FileSystemException e) {
            throw new UserError(fileAndReason(e), e);
        } catch (IOException e) {
            throw new UserError(source + ": cannot be converted: " + e.getMessage(), e);
        }
        return ExitCode.OK;
    }

    private String fileAndReason(FileSystemException e) {
        boolean reading = source.toString().equals(e.getFile());
        String reason = e.getReason();
        if (e instanceof NoSuchFileException) {
            reason = reading ? "no such file" : "no such directory";
        } else if (e instanceof AccessDeniedException) {
            reason = "permission denied";
        }
        return (reading ? source + ": cannot be read: " : to + ": cannot be written: ") + reason;
    }
}
