/** Old calls are found by their time, to be deleted. */
export const mcpCallTimes = `
CREATE INDEX mcp_calls_by_time ON mcp_calls(called_at);
`;
