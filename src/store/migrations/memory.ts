/** The measured memory of loaded models, which replaces the estimate at the next load. */
export const memory = `
CREATE TABLE measured_memory(
  artifact TEXT NOT NULL,
  context_tokens INTEGER NOT NULL CHECK(context_tokens > 0),
  slots INTEGER NOT NULL CHECK(slots > 0),
  device TEXT NOT NULL,
  ram_bytes INTEGER NOT NULL CHECK(ram_bytes >= 0),
  vram_bytes INTEGER NOT NULL CHECK(vram_bytes >= 0),
  measured_at INTEGER NOT NULL,
  PRIMARY KEY(artifact, context_tokens, slots, device)
) STRICT, WITHOUT ROWID;
`;
