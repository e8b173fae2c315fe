import { Type } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { AgentMode, AgentRun } from './agent.ts';

const Session = {
  id: Type.String(),
  title: Type.String(),
  mode: AgentMode,
  runs: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
};

export const AgentSession = Type.Object(Session, { $id: 'AgentSession' });

const tag = 'Agent';

export const listAgentSessions = endpoint({
  method: 'GET',
  path: '/v1/agent/sessions',
  summary: 'List the conversations of this key, latest first',
  tag,
  access: 'chat',
  response: Type.Object({ data: Type.Array(AgentSession) }, { $id: 'AgentSessions' }),
});

export const getAgentSession = endpoint({
  method: 'GET',
  path: '/v1/agent/sessions/{id}',
  summary: 'Get a conversation with its runs',
  tag,
  access: 'chat',
  response: Type.Object({ ...Session, turns: Type.Array(AgentRun) }, { $id: 'WholeAgentSession' }),
});

export const deleteAgentSession = endpoint({
  method: 'DELETE',
  path: '/v1/agent/sessions/{id}',
  summary: 'Delete a conversation and its runs',
  tag,
  access: 'chat',
  response: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: 'AgentSessionDeleted' }),
});
