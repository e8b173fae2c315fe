import type { InputTokensRequest } from '../../../../src/api/chat/responses.ts';
import type { TaskContext } from '../../../../src/inference/items.ts';
import type { ChatMessage } from '../../../../src/runtime/engine.ts';
import type { Services } from '../../../compose.ts';
import { invalid } from '../../../http/required.ts';
import { createFileSearchTool } from './file-search.ts';
import type { HostedEvent, HostedTool, HostedTools } from './hosted-tool.ts';

type Options = { body: InputTokensRequest & { include?: string[] }; context: TaskContext };

/** The tools of a request that run here; undefined when there are none. */
export function openHosted(
  { vectorStores }: Pick<Services, 'vectorStores'>,
  { body, context }: Options,
): HostedTools | undefined {
  const { tools = [], include = [] } = body;
  const places = tools.flatMap(({ type }, place) => (type === 'file_search' ? [place] : []));
  const [place, twin] = places;
  if (place === undefined) return undefined;
  if (twin !== undefined)
    throw invalid(`tools[${twin}]`, 'Only one "file_search" can be used: give it all vector stores.');
  const { hosted, annotate } = createFileSearchTool({
    tool: tools[place] ?? { type: 'file_search' },
    param: `tools[${place}]`,
    vectorStores,
    context,
    showsResults: include.includes('file_search_call.results'),
  });
  const byName = new Map<string, HostedTool>([[hosted.definition.name, hosted]]);
  return { tools: byName, begin: nothing, annotate };
}

// eslint-disable-next-line require-yield -- these tools add nothing before the model is asked
async function* nothing(): AsyncGenerator<HostedEvent, ChatMessage[]> {
  return [];
}
