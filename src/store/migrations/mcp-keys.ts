/** Which keys may use which tools of MCP servers, and the calls of those tools by the request that made them. */
export const mcpKeys = `
CREATE TABLE mcp_key_tools(
  server TEXT NOT NULL REFERENCES mcp_servers(name) ON DELETE CASCADE,
  key_id TEXT NOT NULL REFERENCES api_keys(id) ON DELETE CASCADE,
  tools TEXT NOT NULL,
  PRIMARY KEY(server, key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE mcp_calls(
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  called_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mcp_calls_of ON mcp_calls(request_id);
`;
