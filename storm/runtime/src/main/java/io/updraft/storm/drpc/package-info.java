/** DRPC over HTTP and Thrift. */
package io.updraft.storm.drpc;
