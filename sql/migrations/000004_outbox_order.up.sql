-- The outbox is worked off in the order in which rows fall due: those that were
-- put off go behind the others.
DROP INDEX index_outbox_due_idx;
CREATE INDEX index_outbox_due_idx ON index_outbox (not_before, id) WHERE not_before < 'infinity';
