package io.updraft.storm.instrument;

import io.updraft.storm.instrument.Watcher.SpoutMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.storm.daemon.Acker;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.hooks.info.SpoutFailInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Calls the hooks of a task. If a hook throws, the failure is reported, once for each method of the hook, and the task continues.
 * In Storm the worker ends.
 */
final class TaskHookWatcher implements Watcher {

    private final TopologyContext context;
    private final int taskId;
    private final Consumer<Throwable> report;
    private final Set<String> reported = new HashSet<>();

    TaskHookWatcher(TopologyContext context, Consumer<Throwable> report) {
        this.context = context;
        this.taskId = context.getThisTaskId();
        this.report = report;
    }

    @Override
    public boolean wantsTimes() {
        return true;
    }

    @Override
    public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
        EmitInfo info = new EmitInfo(values, stream, taskId, tasks);
        each("emit", hook -> hook.emit(info));
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        BoltExecuteInfo info = new BoltExecuteInfo(input, taskId, latencyMs);
        each("boltExecute", hook -> hook.boltExecute(info));
    }

    @Override
    public void acked(Tuple input, long latencyMs) {
        input.getMessageId().getAnchorsToIds().forEach((root, edge) -> reported(Acker.ACKER_ACK_STREAM_ID, root, edge));
        BoltAckInfo info = new BoltAckInfo(input, taskId, latencyMs);
        each("boltAck", hook -> hook.boltAck(info));
    }

    @Override
    public void failed(Tuple input, long latencyMs) {
        input.getMessageId().getAnchors().forEach(root -> reported(Acker.ACKER_FAIL_STREAM_ID, root));
        BoltFailInfo info = new BoltFailInfo(input, taskId, latencyMs);
        each("boltFail", hook -> hook.boltFail(info));
    }

    /** Reports a tuple to an acker as an emit, as Storm's hooks see it; here the tuple goes to no task. */
    private void reported(String stream, Object... values) {
        emitted(stream, new Values(values), null, List.of());
    }

    @Override
    public void spoutAcked(SpoutMessage message) {
        SpoutAckInfo info = new SpoutAckInfo(message.id(), taskId, message.latencyMs());
        each("spoutAck", hook -> hook.spoutAck(info));
    }

    @Override
    public void spoutFailed(SpoutMessage message) {
        SpoutFailInfo info = new SpoutFailInfo(message.id(), taskId, message.latencyMs());
        each("spoutFail", hook -> hook.spoutFail(info));
    }

    @Override
    public void closing() {
        each("cleanup", ITaskHook::cleanup);
    }

    /** Iterates by index, as Storm does: a hook may add another one. */
    private void each(String method, Consumer<ITaskHook> call) {
        List<ITaskHook> hooks = context.getHooks();
        for (int i = 0; i < hooks.size(); i++) {
            ITaskHook hook = hooks.get(i);
            try {
                call.accept(hook);
            } catch (RuntimeException e) {
                reportOnce(hook, method, e);
            }
        }
    }

    private void reportOnce(ITaskHook hook, String method, RuntimeException e) {
        String name = hook.getClass().getName() + "." + method;
        boolean first;
        synchronized (reported) {
            first = reported.add(name);
        }
        if (first) {
            report.accept(new IllegalStateException(
                    "task hook " + name + " of component '" + context.getThisComponentId() + "' failed: " + e
                            + " (reported once for each method of a hook)",
                    e));
        }
    }
}
