import type { ModelManifest } from '../src/runtime/manifest.ts';
import { bgeM3 } from './catalog/embeddings/bge-m3.ts';
import { bgeM3Q4 } from './catalog/embeddings/bge-m3-q4.ts';
import { bgeRerankerV2M3 } from './catalog/rerank/bge-reranker-v2-m3.ts';
import { bgeRerankerV2M3F16 } from './catalog/rerank/bge-reranker-v2-m3-f16.ts';
import { bgeRerankerV2M3Q4 } from './catalog/rerank/bge-reranker-v2-m3-q4.ts';
import { flux2Klein4bQ4 } from './catalog/images/flux2-klein-4b-q4.ts';
import { flux2Klein4bQ8 } from './catalog/images/flux2-klein-4b-q8.ts';
import { gptOss20b } from './catalog/chat/gpt-oss-20b.ts';
import { hyMt218b } from './catalog/chat/hy-mt2-1-8b.ts';
import { koalaTextModeration } from './catalog/moderation/koala-text-moderation.ts';
import { kokoro82m } from './catalog/audio/kokoro-82m.ts';
import { kokoro82mQ8 } from './catalog/audio/kokoro-82m-q8.ts';
import { qwen25Coder7b } from './catalog/chat/qwen2-5-coder-7b.ts';
import { qwen34bInstruct } from './catalog/chat/qwen3-4b-instruct.ts';
import { qwen3Coder30bA3b } from './catalog/chat/qwen3-coder-30b-a3b.ts';
import { qwen3Embedding06b } from './catalog/embeddings/qwen3-embedding-0-6b.ts';
import { qwen3Vl4b } from './catalog/vision/qwen3-vl-4b.ts';
import { qwen3Vl8b } from './catalog/vision/qwen3-vl-8b.ts';
import { qwen3508b } from './catalog/chat/qwen3-5-0-8b.ts';
import { qwen354b } from './catalog/chat/qwen3-5-4b.ts';
import { qwen3635bA3b } from './catalog/chat/qwen3-6-35b-a3b.ts';
import { sdTurbo } from './catalog/images/sd-turbo.ts';
import { shieldstral3b } from './catalog/moderation/shieldstral-3b.ts';
import { smolvlm2500m } from './catalog/vision/smolvlm2-500m.ts';
import { whisperBase } from './catalog/audio/whisper-base.ts';
import { whisperLargeV3Turbo } from './catalog/audio/whisper-large-v3-turbo.ts';
import { starterChat } from './catalog/starter/starter-chat.ts';
import { starterEmbed } from './catalog/starter/starter-embed.ts';
import { starterModeration } from './catalog/starter/starter-moderation.ts';
import { starterRerank } from './catalog/starter/starter-rerank.ts';
import { starterVoice } from './catalog/starter/starter-voice.ts';
import { starterWords } from './catalog/starter/starter-words.ts';

/** Every artifact that askd knows. Within a tier, the first that serves a service model is its default. */
export const catalog: readonly ModelManifest[] = [
  starterChat,
  starterWords,
  starterEmbed,
  starterRerank,
  starterModeration,
  starterVoice,
  qwen25Coder7b,
  qwen3508b,
  qwen354b,
  qwen34bInstruct,
  qwen3635bA3b,
  gptOss20b,
  qwen3Coder30bA3b,
  hyMt218b,
  smolvlm2500m,
  qwen3Vl4b,
  qwen3Vl8b,
  bgeM3Q4,
  bgeM3,
  qwen3Embedding06b,
  bgeRerankerV2M3Q4,
  bgeRerankerV2M3,
  bgeRerankerV2M3F16,
  koalaTextModeration,
  shieldstral3b,
  whisperBase,
  whisperLargeV3Turbo,
  kokoro82mQ8,
  kokoro82m,
  flux2Klein4bQ4,
  flux2Klein4bQ8,
  sdTurbo,
];
