/** Where the words of a document were when they were quoted, so that an editor can be opened there. */
export const quotedLines = `
ALTER TABLE agent_facts ADD COLUMN line INTEGER CHECK(line > 0);
`;
