/**
 * The REST API of Storm UI, {@code /api/v1/...}, answered from {@link org.apache.storm.generated.Nimbus.Iface} alone.
 *
 * <p>The contract is the document "Storm UI REST API" of Storm 2.8. Where Storm's server and the document differ in the type of
 * a member, the answer is the server's. {@link io.updraft.rest.StormRestApi} lists the other differences.
 */
package io.updraft.rest;
