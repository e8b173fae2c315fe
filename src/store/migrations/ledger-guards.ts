/**
 * What the ledger's own triggers do not see: a row that replaces another, which SQLite treats as an insert, and a
 * hold that disappears. A transaction is accepted only if the wallet has just booked it.
 */
export const ledgerGuards = `
CREATE TRIGGER wallet_transactions_fit BEFORE INSERT ON wallet_transactions
  WHEN NOT EXISTS(SELECT 1 FROM wallets w
    WHERE w.account_id = NEW.account_id AND w.last_seq = NEW.seq AND w.posted_n = NEW.balance_after_n)
    OR EXISTS(SELECT 1 FROM wallet_transactions t WHERE t.account_id = NEW.account_id AND t.seq = NEW.seq)
    OR EXISTS(SELECT 1 FROM wallet_transactions t WHERE t.id = NEW.id)
    OR EXISTS(SELECT 1 FROM wallet_transactions t
      WHERE t.type = NEW.type AND t.ref_type = NEW.ref_type AND t.ref_id = NEW.ref_id)
  BEGIN SELECT RAISE(ABORT, 'the transaction is not the next one of its wallet'); END;

CREATE TRIGGER holds_no_delete BEFORE DELETE ON holds
  BEGIN SELECT RAISE(ABORT, 'holds are kept'); END;

CREATE TRIGGER holds_no_replace BEFORE INSERT ON holds
  WHEN EXISTS(SELECT 1 FROM holds h WHERE h.id = NEW.id OR h.request_id = NEW.request_id)
  BEGIN SELECT RAISE(ABORT, 'there is a hold for this request already'); END;
`;
