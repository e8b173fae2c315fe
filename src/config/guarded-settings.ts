import { RULES, type SettingName } from './settings.ts';

const SECRET = 'It is a secret, which is never sent over HTTP.';
const NETWORK = 'It decides who reaches this daemon.';
const EGRESS = 'It decides which private hosts this daemon reaches.';
const PROGRAMS = 'Programs are installed from it.';
const CATALOG = 'It decides which models are offered for download.';
const FILE = 'It names a file of this machine.';
const SANDBOX = 'It decides what a model file can do to this machine.';
const RECORDS = 'It decides how long the audit log is kept.';
const LOGINS = 'It decides who may sign in.';
const PAYMENTS = 'It decides what counts as paid.';

/**
 * What a browser may not change, and why: a stolen session must not give more access than the session has. The
 * command line may change all of it.
 */
const GUARDED_SETTINGS: Partial<Record<SettingName, string>> = {
  host: NETWORK,
  insecureHttp: NETWORK,
  allowedOrigins: NETWORK,
  allowedHosts: NETWORK,
  ollamaApi: NETWORK,
  ollamaPort: NETWORK,
  tlsCert: FILE,
  tlsKey: FILE,
  webhooksCa: FILE,
  scriptedAnswers: FILE,
  webhooksAllowCidrs: EGRESS,
  agentAllowOrigins: EGRESS,
  agentSearxngUrl: EGRESS,
  catalogUrl: CATALOG,
  catalogKeys: CATALOG,
  npmRegistry: PROGRAMS,
  sandbox: SANDBOX,
  oidcIssuer: LOGINS,
  oidcClientId: LOGINS,
  stripeApiBase: PAYMENTS,
  auditLogDays: RECORDS,
};

/** Why a browser may not change it. */
export function whyGuarded(name: SettingName): string | undefined {
  return RULES[name].isSecret ? SECRET : GUARDED_SETTINGS[name];
}
