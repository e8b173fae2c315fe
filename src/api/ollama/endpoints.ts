import type { Endpoint } from '../endpoint.ts';
import { ollamaChat } from './chat.ts';
import { ollamaEmbed, ollamaEmbeddings } from './embed.ts';
import { ollamaGenerate } from './generate.ts';
import {
  ollamaCopy,
  ollamaDelete,
  ollamaPs,
  ollamaPull,
  ollamaRefused,
  ollamaShow,
  ollamaTags,
  ollamaVersion,
} from './models.ts';

/** Ollama's API, beside the management routes under /api. */
export const OLLAMA_ENDPOINTS: readonly Endpoint[] = [
  ollamaVersion,
  ollamaTags,
  ollamaShow,
  ollamaPs,
  ollamaChat,
  ollamaGenerate,
  ollamaEmbed,
  ollamaEmbeddings,
  ollamaPull,
  ollamaCopy,
  ollamaDelete,
  ...ollamaRefused,
];
