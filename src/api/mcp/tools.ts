import type { Tool } from './tool.ts';
import { chat } from './tools/chat.ts';
import { searchDocuments } from './tools/documents.ts';
import { image } from './tools/image.ts';
import { research } from './tools/research.ts';
import { speak, transcribe } from './tools/sound.ts';
import { embed, moderate, rerank, translate } from './tools/texts.ts';

/** The tools that askd offers to the models of other programs. */
export const TOOLS: readonly Tool[] = [
  chat,
  research,
  searchDocuments,
  embed,
  rerank,
  moderate,
  translate,
  transcribe,
  speak,
  image,
];
