/**
 * Conversations of a member of an account, or of the account itself. Names are unique for each owner. The messages
 * move too, because dropping the table that they refer to would delete them. Their places stay, and so does the
 * index.
 */
export const chatOwners = `
CREATE TABLE chats_owned(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  member_id TEXT REFERENCES members(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  model TEXT NOT NULL,
  system TEXT,
  current TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
INSERT INTO chats_owned(id, account_id, name, title, model, system, current, created_at, changed_at)
  SELECT id, 'acct_local', name, title, model, system, current, created_at, changed_at FROM chats;

CREATE TABLE chat_messages_owned(
  place INTEGER PRIMARY KEY,
  chat_id TEXT NOT NULL REFERENCES chats_owned(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  parent TEXT,
  message TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE(chat_id, id),
  FOREIGN KEY(chat_id, parent) REFERENCES chat_messages_owned(chat_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO chat_messages_owned(place, chat_id, id, parent, message, text)
  SELECT place, chat_id, id, parent, message, text FROM chat_messages ORDER BY place;

DROP TRIGGER chat_messages_added;
DROP TRIGGER chat_messages_removed;
DROP TRIGGER chat_messages_changed;
DROP TABLE chat_messages;
DROP TABLE chats;
ALTER TABLE chats_owned RENAME TO chats;
ALTER TABLE chat_messages_owned RENAME TO chat_messages;
CREATE UNIQUE INDEX chats_by_name ON chats(account_id, ifnull(member_id, ''), name);
CREATE INDEX chats_changed ON chats(account_id, member_id, changed_at, id);

CREATE TRIGGER chat_messages_added AFTER INSERT ON chat_messages BEGIN
  INSERT INTO chat_index(rowid, text) VALUES(new.place, new.text);
END;
CREATE TRIGGER chat_messages_removed AFTER DELETE ON chat_messages BEGIN
  INSERT INTO chat_index(chat_index, rowid, text) VALUES('delete', old.place, old.text);
END;
CREATE TRIGGER chat_messages_changed AFTER UPDATE OF text ON chat_messages BEGIN
  INSERT INTO chat_index(chat_index, rowid, text) VALUES('delete', old.place, old.text);
  INSERT INTO chat_index(rowid, text) VALUES(new.place, new.text);
END;
`;
