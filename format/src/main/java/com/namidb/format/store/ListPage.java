package com.namidb.format.store;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing.
 *
 * @param objects ascending by key
 * @param next token for the following page, empty on the last
 */
public record ListPage(List<ObjectMeta> objects, Optional<String> next) {}
