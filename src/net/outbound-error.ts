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

/** Why a request did not get an answer. Never says which address a name led to. */
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

/** What the operating system said, in our own terms. */
export function toOutboundError(cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const kind = KINDS[code] ?? (code.startsWith('HPE_') ? 'protocol_error' : 'connection_reset');
  return new OutboundError(kind, code || message, { cause });
}
