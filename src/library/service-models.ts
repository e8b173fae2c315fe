import { readsImages, type ModelManifest, type Task } from '../runtime/manifest.ts';

/** A model of the public catalogue: what it promises, whichever artifact serves it on this machine. */
export type ServiceModel = {
  id: string;
  category: string;
  /** The engine task that serves it; absent if no engine here can. */
  task?: Task;
  capabilities: Record<string, boolean>;
  pricing: Record<string, number | string>;
  specifications: Record<string, number | string>;
  outputTokensMax?: number;
};

const chatCapabilities = { chat_completion: true, streaming: true, function_calling: false };
const chatSpecifications = { context_window: 128_000, max_output_tokens: 8192, training_cutoff: '2025-06' };
const chatPrice = { input_price_per_million: 0.1, output_price_per_million: 0.2, currency: 'usd' };
const perMillionTokens = (price: number) => ({ price_per_million_tokens: price, currency: 'usd' });

export const SERVICE_MODELS: readonly ServiceModel[] = [
  {
    id: 'svc-chat-v1',
    category: 'chat',
    task: 'chat',
    capabilities: chatCapabilities,
    pricing: chatPrice,
    specifications: chatSpecifications,
    outputTokensMax: 8192,
  },
  {
    id: 'svc-vision-v1',
    category: 'vision',
    task: 'chat',
    capabilities: { ...chatCapabilities, vision: true },
    pricing: { input_price_per_million: 0.05, output_price_per_million: 0.1, currency: 'usd' },
    specifications: chatSpecifications,
    outputTokensMax: 8192,
  },
  {
    id: 'svc-code-v1',
    category: 'code',
    task: 'chat',
    capabilities: chatCapabilities,
    pricing: chatPrice,
    specifications: chatSpecifications,
    outputTokensMax: 8192,
  },
  {
    id: 'svc-embed-v1',
    category: 'embedding',
    task: 'embed',
    capabilities: { embeddings: true },
    pricing: perMillionTokens(0.01),
    specifications: { max_tokens: 8192, output_dimensions: 1024 },
  },
  {
    id: 'svc-moderation-v1',
    category: 'moderation',
    task: 'moderate',
    capabilities: { moderation: true },
    pricing: perMillionTokens(0.05),
    specifications: { categories: 11 },
  },
  {
    id: 'svc-rerank-v1',
    category: 'rerank',
    task: 'rerank',
    capabilities: { rerank: true },
    pricing: perMillionTokens(0.02),
    specifications: { max_documents: 100, max_tokens: 8192 },
  },
  {
    id: 'svc-whisper-v1',
    category: 'speech-to-text',
    task: 'transcribe',
    capabilities: { transcription: true },
    pricing: { price_per_minute: 0.006, currency: 'usd' },
    specifications: {},
  },
  {
    id: 'svc-stt-v1',
    category: 'speech-to-text',
    task: 'transcribe',
    capabilities: { transcription: true },
    pricing: { price_per_minute: 0.006, currency: 'usd' },
    specifications: {},
  },
  {
    id: 'svc-tts-v1',
    category: 'text-to-speech',
    task: 'speak',
    capabilities: { speech: true },
    pricing: { price_per_million_characters: 15, currency: 'usd' },
    specifications: { max_characters: 4096 },
  },
  {
    id: 'svc-image-v1',
    category: 'image',
    task: 'draw',
    capabilities: { image_generation: true },
    pricing: { price_per_image: 0.02, currency: 'usd' },
    specifications: { max_prompt_characters: 4000 },
  },
  {
    id: 'svc-translate-v1',
    category: 'translation',
    task: 'translate',
    capabilities: { translation: true },
    pricing: chatPrice,
    specifications: { max_output_tokens: 4096 },
  },
];

export function findServiceModel(id: string): ServiceModel | undefined {
  return SERVICE_MODELS.find((model) => model.id === id);
}

/** The service models that an artifact can be bound to. */
export function servicesFor(manifest: ModelManifest): string[] {
  return SERVICE_MODELS.filter(
    ({ task, capabilities }) =>
      task !== undefined &&
      manifest.tasks.includes(task) &&
      (!capabilities['vision'] || readsImages(manifest)),
  ).map(({ id }) => id);
}
