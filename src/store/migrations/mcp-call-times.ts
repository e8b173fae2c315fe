/** Finds old calls by their time, to delete them. */
export const mcpCallTimes = `
CREATE INDEX mcp_calls_by_time ON mcp_calls(called_at);
`;
