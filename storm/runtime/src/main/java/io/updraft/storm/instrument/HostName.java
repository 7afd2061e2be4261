package io.updraft.storm.instrument;

import java.net.UnknownHostException;
import org.apache.storm.utils.Utils;

/** The name of this host, as Storm determines it. */
final class HostName {

    private HostName() {}

    static String get() {
        try {
            return Utils.hostname();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
