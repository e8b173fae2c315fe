/** What the openai package has a method for, and which part of its answer to print. */
export type OpenAICall = {
  method: string;
  /** The named arguments of the Python package; anything else goes into extra_body. */
  parameters: readonly string[];
  JavaScript: Printed;
  Python: Printed;
};

/** Expressions over `answer`, and over each `chunk` of a stream. */
type Printed = { answer: string; chunk?: string };

const SAMPLING = [
  ...['model', 'stream', 'stream_options', 'temperature', 'top_p', 'max_tokens', 'seed', 'stop', 'n'],
  ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'user'],
];

const CHAT = [
  ...['messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'top_logprobs'],
  ...['max_completion_tokens', 'reasoning_effort', 'metadata', 'store', 'modalities', 'service_tier'],
];

const LISTENING = ['model', 'prompt', 'response_format', 'temperature'];
const transcript = {
  JavaScript: { answer: 'answer', chunk: "chunk.type === 'transcript.text.delta' ? chunk.delta : ''" },
  Python: { answer: 'answer', chunk: 'chunk.delta if chunk.type == "transcript.text.delta" else ""' },
};

export const OPENAI_CALLS: Readonly<Record<string, OpenAICall>> = {
  '/v1/chat/completions': {
    method: 'chat.completions.create',
    parameters: [...SAMPLING, ...CHAT],
    JavaScript: {
      answer: 'answer.choices[0].message',
      chunk: "chunk.choices[0]?.delta.content ?? ''",
    },
    Python: {
      answer: 'answer.choices[0].message',
      chunk: '(chunk.choices[0].delta.content or "") if chunk.choices else ""',
    },
  },
  '/v1/completions': {
    method: 'completions.create',
    parameters: [...SAMPLING, 'prompt', 'suffix', 'echo', 'best_of'],
    JavaScript: { answer: 'answer.choices[0].text', chunk: "chunk.choices[0]?.text ?? ''" },
    Python: {
      answer: 'answer.choices[0].text',
      chunk: 'chunk.choices[0].text if chunk.choices else ""',
    },
  },
  '/v1/embeddings': {
    method: 'embeddings.create',
    parameters: ['model', 'input', 'dimensions', 'encoding_format', 'user'],
    JavaScript: { answer: 'answer.data.map(({ embedding }) => embedding)' },
    Python: { answer: '[each.embedding for each in answer.data]' },
  },
  '/v1/moderations': {
    method: 'moderations.create',
    parameters: ['model', 'input'],
    JavaScript: { answer: 'answer.results' },
    Python: { answer: 'answer.results' },
  },
  '/v1/audio/transcriptions': {
    method: 'audio.transcriptions.create',
    parameters: [...LISTENING, 'language', 'timestamp_granularities', 'stream'],
    ...transcript,
  },
  '/v1/audio/translations': {
    method: 'audio.translations.create',
    parameters: LISTENING,
    ...transcript,
  },
  '/v1/audio/speech': {
    method: 'audio.speech.create',
    parameters: ['model', 'input', 'voice', 'response_format', 'speed', 'stream_format'],
    JavaScript: { answer: 'answer.body' },
    Python: { answer: 'answer' },
  },
  '/v1/images/generations': {
    method: 'images.generate',
    parameters: [
      ...['model', 'prompt', 'n', 'size', 'quality', 'response_format', 'user'],
      ...['output_format', 'output_compression', 'background', 'moderation'],
    ],
    JavaScript: { answer: 'answer.data[0].url' },
    Python: { answer: 'answer.data[0].url' },
  },
};
