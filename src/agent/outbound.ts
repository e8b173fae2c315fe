import { createGuard } from '../net/guard.ts';
import { createOutbound, type OutboundRequest, type OutboundResponse } from '../net/outbound.ts';

/** Private networks: reachable only at the exact origins that the owner named. */
const OWN_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', 'fc00::/7'];

export type AgentRequest = Omit<OutboundRequest, 'plainHttp' | 'loopbackPort'> & {
  /** An origin that may be on a private network, for this request only. */
  trusted?: string | undefined;
};

export type AgentOutbound = ReturnType<typeof createAgentOutbound>;

/** The agent's outbound HTTP: public hosts, and the origins that the settings name. Never the daemon itself. */
export function createAgentOutbound({
  ownPort,
  allowOrigins,
}: {
  ownPort: () => number;
  allowOrigins: readonly string[];
}) {
  const open = createOutbound({ guard: createGuard({ ownPort }) });
  const own = createOutbound({ guard: createGuard({ ownPort, allowCidrs: OWN_NETWORKS }) });
  const allowed = new Set(allowOrigins.map((each) => new URL(each).origin));

  return {
    isAllowed: (url: string) => URL.canParse(url) && allowed.has(new URL(url).origin),
    request({ trusted, ...request }: AgentRequest): Promise<OutboundResponse> {
      const isTrusted =
        trusted !== undefined && URL.canParse(request.url) && new URL(request.url).origin === trusted;
      return (isTrusted ? own : open).request({ ...request, plainHttp: true });
    },
  };
}
