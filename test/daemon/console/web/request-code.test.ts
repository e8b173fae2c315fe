import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../../daemon/console/web/screens/playground/code/api-request.ts';
import {
  LANGUAGES,
  toCode,
  type Language,
} from '../../../../daemon/console/web/screens/playground/code/to-code.ts';
import { openEveryService } from '../../../helpers/daemon/every-service.ts';
import { ROOT } from '../../../helpers/docs/pages.ts';
import { spoken, wavOf } from '../../../helpers/models/sounds.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

/** What a shell and three languages could read as their own. */
const AWKWARD = `it's "quoted" \\ $HOME \`id\` %s {x} """ ''' © 日本語 😀\nand a second line\u2028`;
const FILE = `it's "my" sound;type=x.wav`;

type Case = { request: ApiRequest; prints?: Partial<Record<Language, RegExp>> | RegExp };

const CASES: Record<string, Case> = {
  'a chat': {
    request: {
      path: '/v1/chat/completions',
      body: { model: 'svc-chat-v1', messages: [{ role: 'user', content: AWKWARD }], max_tokens: 5 },
    },
    prints: /content/,
  },
  'a streamed chat with parameters that the package does not know': {
    request: {
      path: '/v1/chat/completions',
      body: {
        ...{ model: 'svc-chat-v1', messages: [{ role: 'user', content: 'How do I create an API key?' }] },
        ...{ top_k: 20, min_p: 0.1, max_tokens: 40, stream: true, stream_options: { include_usage: true } },
      },
    },
    prints: { JavaScript: /askd keys create/, Python: /askd keys create/, curl: /\[DONE\]/ },
  },
  'a streamed completion': {
    request: {
      path: '/v1/completions',
      body: { model: 'svc-chat-v1', prompt: AWKWARD, max_tokens: 3, stream: true },
    },
    prints: { curl: /\[DONE\]/ },
  },
  embeddings: {
    request: {
      path: '/v1/embeddings',
      body: { model: 'svc-embed-v1', input: [AWKWARD, 'another'], dimensions: undefined },
    },
    prints: /-?0\.\d+/,
  },
  'a ranking': {
    request: {
      path: '/v1/rerank',
      body: {
        ...{ model: 'svc-rerank-v1', query: AWKWARD, documents: [AWKWARD, 'another'] },
        ...{ return_documents: true, top_n: 1 },
      },
    },
    prints: /relevance_score/,
  },
  moderation: {
    request: { path: '/v1/moderations', body: { input: [AWKWARD, 'another'] } },
    prints: /harassment/,
  },
  'a translation': {
    request: { path: '/v1/translate', body: { text: 'Hello world.', target_language: 'French' } },
    prints: /Bonjour le monde\./,
  },
  'a transcription': {
    request: {
      path: '/v1/audio/transcriptions',
      file: FILE,
      body: { model: 'svc-whisper-v1', prompt: '@names', response_format: 'json' },
    },
    prints: /hello world/,
  },
  'a transcription with the times of words': {
    request: {
      path: '/v1/audio/transcriptions',
      file: FILE,
      body: {
        ...{ model: 'svc-whisper-v1', response_format: 'verbose_json' },
        timestamp_granularities: ['word', 'segment'],
      },
    },
    prints: /words/,
  },
  'a streamed transcription': {
    request: {
      path: '/v1/audio/transcriptions',
      file: FILE,
      body: { model: 'svc-whisper-v1', stream: true },
    },
    prints: /hello world/,
  },
  'a transcription as subtitles': {
    request: {
      path: '/v1/audio/translations',
      file: FILE,
      body: { model: 'svc-whisper-v1', response_format: 'srt' },
    },
    prints: /00:00:00,000 -->/,
  },
  speech: {
    request: {
      path: '/v1/audio/speech',
      body: {
        ...{ model: 'svc-tts-v1', input: 'hello', voice: 'alloy', speed: 1.5 },
        response_format: 'wav',
      },
      saveAs: "it's.wav",
    },
  },
  'an image': {
    request: {
      path: '/v1/images/generations',
      body: { prompt: AWKWARD, size: '256x256', seed: 7, steps: 2, negative_prompt: 'noise' },
    },
    prints: /http:\/\/127\.0\.0\.1:\d+\/images\//,
  },
};

const COMMANDS: Record<Language, (code: string) => [string, ...string[]]> = {
  curl: (code) => ['bash', '-c', code.replace(/^curl/, 'curl --fail-with-body --silent --show-error')],
  JavaScript: (code) => [process.execPath, '--input-type=module', '-e', code],
  Python: (code) => ['python3', '-c', code],
};

const PROGRAMS_MS = 300_000;

test.each(LANGUAGES)(
  'each request of the playground as %s is what a program can send',
  async (language) => {
    const { port, key } = await openEveryService();
    const origin = `http://127.0.0.1:${port}`;
    for (const [name, { request, prints = /^/ }] of Object.entries(CASES)) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, FILE), wavOf(spoken('hello world')));
      const code = toCode(language, origin, request);
      const expected = prints instanceof RegExp ? prints : (prints[language] ?? /^/);
      if (language === 'Python' && code.includes('import OpenAI') && !(await hasPackage())) {
        await compile(code, folder);
        continue;
      }
      const [program, ...args] = COMMANDS[language](fitted(language, code));
      const run = await execa(program, args, {
        cwd: folder,
        env: { ASKD_API_KEY: key },
        all: true,
        reject: false,
      });
      expect(run.exitCode, `${name}: ${run.all}\n${code}`).toBe(0);
      expect(run.stdout, name).toMatch(expected);
      if (request.saveAs === undefined) continue;
      expect(readFileSync(join(folder, request.saveAs)).toString('latin1', 0, 4)).toBe('RIFF');
    }
  },
  PROGRAMS_MS,
);

/** Packages are found from the repository. */
function fitted(language: Language, code: string): string {
  const place = join(ROOT, 'node_modules/openai/index.mjs');
  return language === 'JavaScript' ? code.replace("from 'openai'", `from ${JSON.stringify(place)}`) : code;
}

async function hasPackage(): Promise<boolean> {
  return (await execa('python3', ['-c', 'import openai'], { reject: false })).exitCode === 0;
}

/** Where the package is not installed, the program is at least one. */
async function compile(code: string, folder: string): Promise<void> {
  const file = join(folder, 'request.py');
  writeFileSync(file, code);
  await execa('python3', ['-m', 'py_compile', file]);
  expect(existsSync(file)).toBe(true);
}

describe('the code of a request', () => {
  const chat = { path: '/v1/chat/completions', body: { model: 'm', messages: [], top_k: 1, stream: false } };

  test('does not contain the key', () => {
    for (const language of LANGUAGES) {
      expect(toCode(language, 'http://localhost:1', chat)).toContain('ASKD_API_KEY');
    }
  });

  test('is on one line when short, and on several when long', () => {
    const short = toCode('JavaScript', 'http://localhost:1', chat);
    expect(short).toContain('create({ model: "m", messages: [], top_k: 1, stream: false });');
    const body = { ...chat.body, messages: [{ role: 'user', content: 'a'.repeat(100) }] };
    expect(toCode('JavaScript', 'http://localhost:1', { ...chat, body })).toContain(
      `  messages: [\n    {\n      role: "user",\n      content: "${'a'.repeat(100)}",\n    },\n  ],\n`,
    );
  });

  test('passes what the Python package does not know as extra_body', () => {
    const code = toCode('Python', 'http://localhost:1', chat);
    expect(code).toContain('create(model="m", messages=[], stream=False, extra_body={"top_k": 1})');
  });
});
