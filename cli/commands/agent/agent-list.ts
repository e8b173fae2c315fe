import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';

export const agentList = command({
  name: 'agent list',
  group: 'Chat:',
  summary: 'list the latest runs of the agent',
  examples: ['askd agent list', 'askd agent list --json'],
  async run({ connect, output }) {
    const { data } = await (await connect('inference')).agent.list();
    const now = Date.now();
    output.result({ schema: 'agent-list/1', runs: data }, () =>
      data.length === 0
        ? 'No runs yet: askd agent "QUESTION"'
        : renderTable<AgentRun>(
            data,
            [
              { title: 'RUN', value: ({ id }) => id },
              {
                title: 'STATE',
                value: ({ status, stopped }) => (stopped === null ? status : stopped.replace('_', ' ')),
              },
              { title: 'SESSION', value: ({ session_id }) => session_id },
              { title: 'BEGAN', value: ({ started_at }) => formatSince(started_at, now) },
              { title: 'QUESTION', value: ({ query }) => query, shrinks: true },
            ],
            output,
          ),
    );
  },
});
