/** What connects threads: rings, the doorbell, and the contract of the gateway to other workers. */
package io.updraft.engine.mesh;
