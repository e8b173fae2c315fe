import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';

/** Where the owner logs in to an MCP server, as discovered and checked at the login. */
export type Authority = {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** What tokens are requested for: the server's own name for itself. */
  resource?: string;
  /** Whether the MCP server is on a private network, so that its authorization server may be too. */
  isPrivate: boolean;
};

/** askd's registration at one authorization server. Its id and secret go to no other server. */
export type LoginClient = {
  issuer: string;
  client_id: string;
  client_secret?: string;
  token_endpoint_auth_method?: string;
  /** Given by the owner; otherwise registered for one login. */
  isGiven: boolean;
};

export type Tokens = { access: string; refresh?: string; expiresAt?: number; scope?: string };

/** What is kept about a server that wants a login. Without tokens, the owner has to log in. */
export type Login = {
  client?: LoginClient;
  session?: { authority: Authority; tokens: Tokens };
};

/** OpenID provider metadata has it too, although its type does not say so. */
export function revocationEndpoint(metadata: AuthorizationServerMetadata): string | undefined {
  return (metadata as { revocation_endpoint?: string }).revocation_endpoint;
}

/** `none` if the server asks for none. */
export type LoginState = 'none' | 'needed' | 'active';

export function loginStateOf(login: Login | undefined): LoginState {
  if (login === undefined) return 'none';
  return login.session === undefined ? 'needed' : 'active';
}
