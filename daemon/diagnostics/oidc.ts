import type { Diagnostic } from './diagnostic.ts';

/** Whether the OpenID provider, if one is configured, can be reached. */
export const diagnoseOidc: Diagnostic = async ({ oidcLogins }) => {
  const check = 'OpenID provider';
  if (oidcLogins === undefined) return [];
  try {
    const { issuer } = await oidcLogins.discover();
    return [{ check, level: 'ok', message: `${issuer} answers` }];
  } catch (error) {
    const fix = 'check the network and oidc_issuer; until then: askd account login-link NAME';
    return [{ check, level: 'warning', message: (error as Error).message, fix }];
  }
};
