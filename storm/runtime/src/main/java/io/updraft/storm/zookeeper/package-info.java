/** The part of ZooKeeper that Trident's transactional spouts need, in memory. */
package io.updraft.storm.zookeeper;
