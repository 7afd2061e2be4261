package io.updraft.stormcluster;

import org.apache.storm.generated.Nimbus;

/**
 * A request to Nimbus with a result.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface NimbusRequest<T> {
    /**
     * Sends the request.
     *
     * @param nimbus a connection to Nimbus
     * @return the result
     * @throws Exception when the request fails
     */
    T send(Nimbus.Iface nimbus) throws Exception;
}
