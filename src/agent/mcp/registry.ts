import type { Clock } from '../../base/clock.ts';
import { toIso } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Seal } from '../../base/sealed.ts';
import type { Store } from '../../store/store.ts';
import type { AllowedTool } from './approval.ts';
import type { Definition, ServerDefinition, ServerSecrets } from './definition.ts';
import { loginStateOf, type Login, type LoginState } from './login/login.ts';

type Row = { name: string; definition: string; secrets: Buffer; tools: string; created_at: number };

/** A server as it may be shown: secrets by name only. */
export type ShownServer = {
  name: string;
  definition: Definition;
  env: string[];
  headers: string[];
  login: LoginState;
  tools: readonly AllowedTool[];
  createdAt: string;
};

export type Registry = ReturnType<typeof createRegistry>;

/** The servers that the owner registered, and their tools as they were allowed. */
export function createRegistry({ store, seal, clock }: { store: Store; seal: Seal; clock: Clock }) {
  const findRow = (name: string) => store.prepare<Row>('SELECT * FROM mcp_servers WHERE name = ?').get(name);

  function rowOf(name: string): Row {
    const row = findRow(name);
    if (row !== undefined) return row;
    throw new Failure('not_found', `There is no MCP server "${name}".`, {
      details: { fix: 'askd mcp list' },
    });
  }

  /** Undefined after a restore without the secrets. */
  function openedOf(row: Row): ServerSecrets | undefined {
    try {
      return JSON.parse(seal.open(row.secrets, placeOf(row.name))) as ServerSecrets;
    } catch (error) {
      if (error instanceof Failure && error.code === 'seal_broken') return undefined;
      throw error;
    }
  }

  function secretsOf(row: Row): ServerSecrets {
    const secrets = openedOf(row);
    if (secrets !== undefined) return secrets;
    throw new Failure('seal_broken', `The secrets of the MCP server "${row.name}" were not restored.`, {
      details: { fix: `askd mcp rm ${row.name}, then askd mcp add ${row.name} …` },
    });
  }

  const sealed = (name: string, secrets: ServerSecrets) => seal.seal(JSON.stringify(secrets), placeOf(name));

  function shown(row: Row): ShownServer {
    const { env = {}, headers = {}, login } = openedOf(row) ?? {};
    return {
      name: row.name,
      definition: JSON.parse(row.definition) as Definition,
      env: Object.keys(env),
      headers: Object.keys(headers),
      login: loginStateOf(login),
      tools: JSON.parse(row.tools) as AllowedTool[],
      createdAt: toIso(row.created_at),
    };
  }

  return {
    list: () => store.prepare<Row>('SELECT * FROM mcp_servers ORDER BY name').all().map(shown),
    show: (name: string) => shown(rowOf(name)),

    find(name: string): ServerDefinition {
      const row = rowOf(name);
      return { name, definition: JSON.parse(row.definition) as Definition, secrets: secretsOf(row) };
    },

    loginOf(name: string): Login | undefined {
      const row = findRow(name);
      return row && secretsOf(row).login;
    },

    /** Does nothing if the server was removed in the meantime. */
    keepLogin(name: string, login: Login): void {
      const row = findRow(name);
      if (row === undefined) return;
      const secrets = sealed(name, { ...secretsOf(row), login });
      store.prepare('UPDATE mcp_servers SET secrets = ? WHERE name = ?').run(secrets, name);
    },

    refuseTwin(name: string): void {
      if (findRow(name) === undefined) return;
      throw new Failure('invalid_value', `An MCP server "${name}" already exists.`, {
        param: 'name',
        details: { fix: `askd mcp rm ${name}` },
      });
    },

    insert({ name, definition, secrets }: ServerDefinition, tools: readonly AllowedTool[]): void {
      this.refuseTwin(name);
      store.prepare(INSERT).run({
        name,
        definition: JSON.stringify(definition),
        secrets: sealed(name, secrets),
        tools: JSON.stringify(tools),
        now: clock.now(),
      });
    },

    allow(name: string, tools: readonly AllowedTool[]): void {
      store.prepare('UPDATE mcp_servers SET tools = ? WHERE name = ?').run(JSON.stringify(tools), name);
    },

    remove(name: string): void {
      rowOf(name);
      store.prepare('DELETE FROM mcp_servers WHERE name = ?').run(name);
    },
  };
}

const placeOf = (name: string) => `mcp_server ${name}`;

const INSERT = `
  INSERT INTO mcp_servers(name, definition, secrets, tools, created_at)
  VALUES (@name, @definition, @secrets, @tools, @now)`;
