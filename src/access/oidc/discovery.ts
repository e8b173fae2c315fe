import { providerFailed } from './failures.ts';
import { isSafeAddress, type ProviderFetch } from './provider-fetch.ts';

/** What a provider publishes of itself, as far as it is used here. */
export type ProviderMetadata = {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  userinfoEndpoint?: string;
  /** Whether a client's secret can be sent in the header Authorization. */
  takesBasic: boolean;
  /** Whether the answer to a login names the issuer (RFC 9207). */
  namesIssuer: boolean;
};

/** OpenID Connect Discovery. A provider speaks only for the issuer that was asked for. */
export async function discoverProvider(issuer: string, fetch: ProviderFetch): Promise<ProviderMetadata> {
  const { status, body } = await fetch(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
  if (status !== 200) throw providerFailed(`${issuer} answers ${status} to the question how to sign in`);
  if (typeof body['issuer'] !== 'string' || withoutSlash(body['issuer']) !== withoutSlash(issuer))
    throw providerFailed(`${issuer} says that it is another issuer`);
  const address = (name: string): string => {
    const value = body[name];
    if (typeof value === 'string' && isSafeAddress(value)) return value;
    throw providerFailed(`the ${name} of ${issuer} is no address with TLS`);
  };
  const methods = body['token_endpoint_auth_methods_supported'];
  return {
    issuer: body['issuer'],
    authorizationEndpoint: address('authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    jwksUri: address('jwks_uri'),
    ...(body['userinfo_endpoint'] !== undefined && { userinfoEndpoint: address('userinfo_endpoint') }),
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    namesIssuer: body['authorization_response_iss_parameter_supported'] === true,
  };
}

const withoutSlash = (text: string) => text.replace(/\/$/, '');
