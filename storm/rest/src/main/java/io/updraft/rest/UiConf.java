package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * What answers take from the configuration, and the links to the log viewers.
 *
 * @param conf the configuration; keys that are absent have Storm's defaults
 */
record UiConf(Map<String, Object> conf) {
    private static final String HTTP_PORT = "logviewer.port";
    private static final String HTTPS_PORT = "logviewer.https.port";
    private static final int DEFAULT_PORT = 8000;

    public Object displaysResources() {
        return conf.getOrDefault("scheduler.display.resource", false);
    }

    public Object profilerEnabled() {
        return conf.getOrDefault("worker.profiler.enabled", false);
    }

    public boolean lagDisabled() {
        return ObjectReader.getBoolean(conf.get("ui.disable.spout.lag.monitoring"), true);
    }

    public List<String> nimbusSeeds() {
        return ObjectReader.getStrings(conf.get(Config.NIMBUS_SEEDS));
    }

    public int nimbusPort() {
        return ObjectReader.getInt(conf.get(Config.NIMBUS_THRIFT_PORT), 6627);
    }

    public void putResourceDisplay(JsonObject answer) {
        answer.put("schedulerDisplayResource", displaysResources());
    }

    public void putLinks(JsonObject answer) {
        answer.put("bugtracker-url", conf.get("ui.project.bugtracker.url"));
        answer.put("central-log-url", conf.get("ui.central.logging.url"));
    }

    public void putLogviewer(JsonObject answer) {
        answer.put("logviewerPort", logviewerPort());
        answer.put("logviewerScheme", scheme());
    }

    public String workerLog(String host, int port, String topology) {
        return log(host, topology, port, "worker.log");
    }

    public String eventLog(String host, int port, String topology) {
        return log(host, topology, port, "events.log");
    }

    public String daemonLog(String host, String file) {
        return host == null ? "" : logviewer(host) + "daemonlog?file=" + file;
    }

    public String dumps(String host, long port, String topology) {
        return logviewer(host) + "dumps/" + Utils.urlEncodeUtf8(topology) + "/"
                + Utils.urlEncodeUtf8(host + ":" + port);
    }

    private String log(String host, String topology, int port, String file) {
        return host == null
                ? ""
                : logviewer(host) + "log?file=" + Utils.urlEncodeUtf8(topology + "/" + port + "/" + file);
    }

    private String logviewer(String host) {
        return scheme() + "://" + Utils.urlEncodeUtf8(host) + ":" + logviewerPort() + "/api/v1/";
    }

    private String scheme() {
        return httpsPort() >= 0 ? "https" : "http";
    }

    private int logviewerPort() {
        return httpsPort() >= 0 ? httpsPort() : ObjectReader.getInt(conf.get(HTTP_PORT), DEFAULT_PORT);
    }

    private int httpsPort() {
        return ObjectReader.getInt(conf.get(HTTPS_PORT), -1);
    }
}
