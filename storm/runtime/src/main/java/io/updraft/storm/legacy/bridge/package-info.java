/**
 * What Storm 0.9 had and Storm 2 has no more, expressed by Storm 2. Converted classes call and implement these types. They come
 * with a converted jar to a cluster, so they use nothing but Storm's client.
 */
package io.updraft.storm.legacy.bridge;
