import { Failure } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';

export type KeyTools = { keyId: string; tools: readonly string[] };

/** The tools that each key may use. A key has none until the owner grants some; the owner has all. */
export function createKeyTools({ store }: { store: Store }) {
  const of = (server: string, keyId: string): readonly string[] => {
    const row = store.prepare<{ tools: string }>(FIND).get(server, keyId);
    return row ? (JSON.parse(row.tools) as string[]) : [];
  };

  function set(server: string, keyId: string, tools: readonly string[]): void {
    const known = store.prepare('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at IS NULL').get(keyId);
    if (!known)
      throw new Failure('not_found', `There is no key "${keyId}".`, { details: { fix: 'askd keys list' } });
    if (tools.length === 0) store.prepare(DELETE).run(server, keyId);
    else store.prepare(UPSERT).run(server, keyId, JSON.stringify(tools));
  }

  return {
    give: (server: string, keyId: string, tools: readonly string[]): void =>
      store.transaction(() => set(server, keyId, [...new Set([...of(server, keyId), ...tools])])),
    take: (server: string, keyId: string, tools: readonly string[]): void =>
      store.transaction(() =>
        set(
          server,
          keyId,
          of(server, keyId).filter((tool) => !tools.includes(tool)),
        ),
      ),
    mayUse: (server: string, keyId: string | null, tool: string): boolean =>
      keyId === null || of(server, keyId).includes(tool),
    ofServer: (server: string): KeyTools[] =>
      store
        .prepare<{ keyId: string; tools: string }>(OF_SERVER)
        .all(server)
        .map(({ keyId, tools }) => ({ keyId, tools: JSON.parse(tools) as string[] })),
  };
}

const FIND = `
  SELECT tools FROM mcp_key_tools JOIN api_keys ON api_keys.id = key_id
  WHERE server = ? AND key_id = ? AND revoked_at IS NULL`;

const UPSERT = `
  INSERT INTO mcp_key_tools(server, key_id, tools) VALUES(?, ?, ?)
  ON CONFLICT DO UPDATE SET tools = excluded.tools`;

const DELETE = 'DELETE FROM mcp_key_tools WHERE server = ? AND key_id = ?';

const OF_SERVER = `
  SELECT key_id AS keyId, tools FROM mcp_key_tools JOIN api_keys ON api_keys.id = key_id
  WHERE server = ? AND revoked_at IS NULL ORDER BY key_id`;
