/**
 * Saved conversations. A message names the one before it, so an edited question or another answer is a branch beside
 * the old one. The index covers `text`, the part of a message that people read.
 */
export const chats = `
CREATE TABLE chats(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  model TEXT NOT NULL,
  system TEXT,
  current TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX chats_changed ON chats(changed_at, id);

CREATE TABLE chat_messages(
  place INTEGER PRIMARY KEY,
  chat_id TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  parent TEXT,
  message TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE(chat_id, id),
  FOREIGN KEY(chat_id, parent) REFERENCES chat_messages(chat_id, id) ON DELETE CASCADE
) STRICT;

CREATE VIRTUAL TABLE chat_index USING fts5(
  text, content='chat_messages', content_rowid='place', tokenize='trigram remove_diacritics 1'
);
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
