/** Thrift ports: limits, authentication, users. */
package io.updraft.storm.thrift;
