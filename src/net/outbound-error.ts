export type OutboundErrorKind =
  | 'url_refused'
  | 'address_refused'
  | 'dns_not_found'
  | 'dns_unavailable'
  | 'network_unreachable'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_timeout'
  | 'tls_failed'
  | 'timeout'
  | 'protocol_error';

/** Why a request got no response. Never reveals the address that a name resolved to. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

const KINDS: Record<string, OutboundErrorKind> = {
  ENOTFOUND: 'dns_not_found',
  EAI_AGAIN: 'dns_unavailable',
  ENETUNREACH: 'network_unreachable',
  ENETDOWN: 'network_unreachable',
  EADDRNOTAVAIL: 'network_unreachable',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_timeout',
  EHOSTDOWN: 'connection_timeout',
  ETIMEDOUT: 'connection_timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
};

/** Maps an error of the operating system to ours. */
export function toOutboundError(cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const kind = KINDS[code] ?? (code.startsWith('HPE_') ? 'protocol_error' : 'connection_reset');
  return new OutboundError(kind, code || message, { cause });
}
