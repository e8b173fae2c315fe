import {
  RUN_HEADER,
  cancelAgentRun,
  getAgentRun,
  listAgentRuns,
  runAgent,
  streamAgent,
  type AgentRunRequest,
} from '../../src/api/tasks/agent.ts';
import { deleteAgentSession } from '../../src/api/tasks/agent-sessions.ts';
import {
  addDocs,
  listDocs,
  removeDocs,
  searchDocs,
  type DocsRequest,
  type DocsSearchRequest,
} from '../../src/api/management/docs.ts';
import type { Http } from '../../src/api/http/http.ts';

/** A model may have to load, and a large file may have to be read, before the next event. */
const SLOW = { silenceMsMax: 15 * 60_000 };

/** The client's methods for the agent and local documents. */
export function agentCalls({ call, open, stream }: Http) {
  return {
    /** The question is sent in the body: URLs end up in logs. */
    run: (body: AgentRunRequest) => stream(runAgent, { body: { ...body, stream: true }, ...SLOW }),
    /** The same with every token of the answer and everything found, and the id of the run in its first event. */
    begin: async (body: AgentRunRequest, signal: AbortSignal) => {
      const request = { ...body, stream: true, tokens: true, facts: true };
      const { headers, events } = await open(runAgent, { body: request, ...SLOW, signal });
      return { run: String(headers.get(RUN_HEADER)), events };
    },
    attach: (run: string, wanted: { tokens?: boolean; facts?: boolean } = {}) =>
      stream(streamAgent, { query: { run, ...wanted }, ...SLOW }),
    follow: (run: string, signal: AbortSignal) =>
      stream(streamAgent, { query: { run, tokens: true, facts: true }, ...SLOW, signal }),
    list: () => call(listAgentRuns),
    find: (id: string) => call(getAgentRun, { params: { id } }),
    cancel: (id: string) => call(cancelAgentRun, { params: { id }, ...SLOW }),
    /** Deletes a conversation with all its runs. */
    forget: (session: string) => call(deleteAgentSession, { params: { id: session } }),
    docs: {
      add: (body: DocsRequest) => stream(addDocs, { body, ...SLOW }),
      list: () => call(listDocs),
      remove: (name: string) => call(removeDocs, { params: { name } }),
      search: (body: DocsSearchRequest) => call(searchDocs, { body, ...SLOW }),
    },
  };
}
