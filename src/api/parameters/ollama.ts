import type { ParameterPolicy, Refusal } from './parameter-policy.ts';

/** How a model is loaded; askd decides this from the model and the machine. */
const LOADING = [
  ...['embedding_only', 'f16_kv', 'logits_all', 'low_vram', 'main_gpu', 'num_batch', 'num_ctx', 'num_gpu'],
  ...['num_gqa', 'num_keep', 'num_thread', 'numa', 'rope_frequency_base', 'rope_frequency_scale'],
  ...['use_mlock', 'use_mmap', 'vocab_only'],
];
/** Options that Ollama itself has dropped. */
const GONE = ['mirostat_eta', 'mirostat_tau', 'penalize_newline', 'tfs_z'];
const OPTIONS = [...LOADING, ...GONE].map((name) => `options.${name}`);

const mirostat: Refusal = { instead: 'Use min_p, top_p or temperature.', except: [0] };
const drawn: Refusal = { instead: 'Generate images with POST /v1/images/generations: omit it.' };

export const ollamaPolicy: ParameterPolicy = {
  withoutEffect: [...OPTIONS, 'shift', 'truncate', 'debug_render_only'],
  refused: { 'options.mirostat': mirostat },
};

export const generatePolicy: ParameterPolicy = {
  withoutEffect: ollamaPolicy.withoutEffect,
  refused: {
    ...ollamaPolicy.refused,
    template: {
      instead:
        'The prompt uses the chat template of the model file. To bypass it, send the whole prompt with "raw": true.',
      except: [''],
    },
    width: drawn,
    height: drawn,
    steps: drawn,
  },
};

export const modelsPolicy: ParameterPolicy = {
  withoutEffect: ['insecure', 'username', 'password', 'system', 'template', 'options', 'verbose'],
};
