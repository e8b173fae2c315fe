/** MCP servers whose tools models may use. The owner's variables and headers are encrypted. */
export const mcpServers = `
CREATE TABLE mcp_servers(
  name TEXT PRIMARY KEY,
  definition TEXT NOT NULL,
  secrets BLOB NOT NULL,
  tools TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
