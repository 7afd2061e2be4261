package io.updraft.engine.api;

import io.updraft.engine.snapshot.ErrorReport;
import java.util.function.Consumer;

/**
 * The options of an engine besides the topology and its configuration.
 *
 * @param name the topology's name
 * @param id the topology's id
 * @param contexts creates the contexts of tasks
 * @param clock the source of time
 * @param seed the seed of every random choice
 * @param onError called for each failure of user code, on the thread where it happened; must not block
 * @param onDeath called once, on an engine thread, when a failure ends the engine ({@code updraft.on.error: die})
 */
public record EngineOptions(
        String name,
        String id,
        ContextFactory contexts,
        EngineClock clock,
        long seed,
        Consumer<ErrorReport> onError,
        Consumer<ErrorReport> onDeath) {}
