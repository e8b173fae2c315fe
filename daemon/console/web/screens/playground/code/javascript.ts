import { BRACES, literal, members, wrap } from './literal.ts';
import { OPENAI_CALLS, type OpenAICall } from './openai-calls.ts';
import type { ApiRequest } from './api-request.ts';

export function toJavaScript(origin: string, request: ApiRequest): string {
  const known = OPENAI_CALLS[request.path];
  return known ? withPackage(origin, request, known) : withFetch(origin, request);
}

function withPackage(origin: string, { body, file, saveAs }: ApiRequest, known: OpenAICall): string {
  const { method, JavaScript: printed } = known;
  const streams = 'stream' in body && body.stream === true && printed.chunk !== undefined;
  const upload = file === undefined ? [] : [`file: createReadStream(${literal(file, 'JavaScript')})`];
  const parameters = wrap(BRACES.JavaScript, [...upload, ...members(body, 'JavaScript')], 0);
  return [
    ...(saveAs === undefined ? [] : ["import { writeFile } from 'node:fs/promises';"]),
    ...(file === undefined ? [] : ["import { createReadStream } from 'node:fs';"]),
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.ASKD_API_KEY });`,
    `const ${streams ? 'stream' : 'answer'} = await client.${method}(${parameters});`,
    finish(),
  ].join('\n');

  function finish(): string {
    if (streams) return `for await (const chunk of stream) process.stdout.write(${printed.chunk});`;
    if (saveAs === undefined) return `console.log(${printed.answer});`;
    return `await writeFile(${literal(saveAs, 'JavaScript')}, ${printed.answer});`;
  }
}

function withFetch(origin: string, { path, body }: ApiRequest): string {
  return `const response = await fetch('${origin}${path}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.ASKD_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${literal(body, 'JavaScript', 1)}),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}
