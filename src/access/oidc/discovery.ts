import { providerFailed } from './failures.ts';
import { isSafeAddress, type ProviderFetch } from './provider-fetch.ts';

/** The part of a provider's OpenID configuration that is used here. */
export type ProviderMetadata = {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  userinfoEndpoint?: string;
  /** Whether the client secret can be sent in the Authorization header. */
  takesBasic: boolean;
  /** Whether the authorization response names the issuer (RFC 9207). */
  namesIssuer: boolean;
};

/** OpenID Connect Discovery. The configuration must name the issuer that it was fetched from. */
export async function discoverProvider(issuer: string, fetch: ProviderFetch): Promise<ProviderMetadata> {
  const { status, body } = await fetch(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
  if (status !== 200)
    throw providerFailed(`${issuer} answered ${status} when asked for its OpenID configuration`);
  if (typeof body['issuer'] !== 'string' || withoutSlash(body['issuer']) !== withoutSlash(issuer))
    throw providerFailed(`the OpenID configuration of ${issuer} names a different issuer`);
  const address = (name: string): string => {
    const value = body[name];
    if (typeof value === 'string' && isSafeAddress(value)) return value;
    throw providerFailed(`the ${name} of ${issuer} is not an https URL`);
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
