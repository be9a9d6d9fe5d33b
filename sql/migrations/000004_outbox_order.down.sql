DROP INDEX index_outbox_due_idx;
CREATE INDEX index_outbox_due_idx ON index_outbox (id) WHERE not_before < 'infinity';
