package database

// OutboxChannel is where writers announce (NOTIFY) that the outbox has rows, and
// where the indexer listens.
const OutboxChannel = "index_outbox"
