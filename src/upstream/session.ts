import type { Session } from '../runtime/engine.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import { createChat, estimateTokens } from './chat.ts';
import { readConnection } from './connection.ts';
import { createDraw } from './draw.ts';
import { createClassify, createEmbed, createRerank } from './items.ts';
import { createSend } from './send.ts';
import type { ServerList } from './server-list.ts';
import { createSpeak } from './speak.ts';
import { createTranscribe } from './transcribe.ts';

type Options = { slots: number; list?: ServerList };

/** A model on other servers. Nothing here is native or large, so it needs no runner process. */
export function openUpstream(manifest: ModelManifest, { slots, list }: Options): Session {
  const connection = readConnection(manifest.path);
  const { send, servers, close } = createSend(connection);
  const unlist = list?.add(manifest.id, servers);
  const { model } = connection;
  const does = (task: (typeof manifest.tasks)[number]) => manifest.tasks.includes(task);
  return {
    description: {
      slots,
      contextTokens: manifest.contextTokensMax,
      threads: 0,
      device: 'upstream',
      memory: { ram: 0, vram: 0 },
      countsAreEstimates: true,
    },
    // Translations use chat, as with any local chat model: OpenAI's API has no other way.
    ...((does('chat') || does('translate')) && {
      chat: createChat(send, model),
      countTokens: async (prompt) => estimateTokens(prompt),
    }),
    ...(does('embed') && { embed: createEmbed(send, model) }),
    ...(does('moderate') && { classify: createClassify(send, model) }),
    ...(does('rerank') && { rerank: createRerank(send, model) }),
    ...(does('transcribe') && { transcribe: createTranscribe(send, model) }),
    ...(does('speak') && { speak: createSpeak(send, model) }),
    ...(does('draw') && { draw: createDraw(send, model) }),
    [Symbol.asyncDispose]() {
      unlist?.();
      return close();
    },
  };
}
