import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';

/** Where the owner logs in for an MCP server, as it was found and checked at the login. */
export type Authority = {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** What tokens are asked for, as the server names itself. */
  resource?: string;
  /** Whether the MCP server is on a private network, so that its authorization server may be as well. */
  isPrivate: boolean;
};

/** askd at one authorization server: its id and secret go to no other. */
export type LoginClient = {
  issuer: string;
  client_id: string;
  client_secret?: string;
  token_endpoint_auth_method?: string;
  /** The owner gave it; others are registered for one login. */
  isGiven: boolean;
};

export type Tokens = { access: string; refresh?: string; expiresAt?: number; scope?: string };

/** What is kept of a server that wants a login. Without tokens, the owner has to log in. */
export type Login = {
  client?: LoginClient;
  session?: { authority: Authority; tokens: Tokens };
};

/** Descriptions of OpenID providers have it too, although its type says nothing of it. */
export function revocationEndpoint(metadata: AuthorizationServerMetadata): string | undefined {
  return (metadata as { revocation_endpoint?: string }).revocation_endpoint;
}

/** `none` where the server wants none. */
export type LoginState = 'none' | 'needed' | 'active';

export function loginStateOf(login: Login | undefined): LoginState {
  if (login === undefined) return 'none';
  return login.session === undefined ? 'needed' : 'active';
}
