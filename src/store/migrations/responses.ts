/**
 * Stored responses that later requests continue from, and conversations. An item is a JSON document from its client.
 */
export const responses = `
CREATE TABLE conversations(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  metadata TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_expire ON conversations(expires_at);

CREATE TABLE responses(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  previous_id TEXT,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX responses_expire ON responses(expires_at);

CREATE TABLE response_items(
  place INTEGER PRIMARY KEY,
  response_id TEXT REFERENCES responses(id) ON DELETE CASCADE,
  conversation_id TEXT REFERENCES conversations(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  is_output INTEGER NOT NULL CHECK(is_output IN (0, 1)),
  item TEXT NOT NULL,
  CHECK((response_id IS NULL) <> (conversation_id IS NULL))
) STRICT;
CREATE INDEX response_items_of ON response_items(response_id, place);
CREATE INDEX response_items_in ON response_items(conversation_id, place);
CREATE INDEX response_items_by_id ON response_items(id);
`;
