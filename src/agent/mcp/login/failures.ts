import { Failure } from '../../../base/errors.ts';

export function loginNeeded(name: string, why = 'requires a login'): Failure {
  return new Failure('mcp_login_needed', `The MCP server "${name}" ${why}.`, {
    details: { fix: `askd mcp login ${name}` },
  });
}

export function tokenWanted(name: string): Failure {
  return new Failure('mcp_server_failed', `The MCP server "${name}" requires a token.`, {
    details: {
      fix: `askd mcp rm ${name}, then askd mcp add ${name} --url URL --header "Authorization: Bearer TOKEN"`,
    },
  });
}

/** Without a cause: an authorization server may echo what was sent to it, and causes are logged. */
export function loginFailed(name: string, why: string): Failure {
  return new Failure('mcp_server_failed', `The login of the MCP server "${name}" failed: ${why}.`, {
    details: { fix: `askd mcp login ${name}` },
  });
}
