import { literal, wrap } from './literal.ts';
import { OPENAI_CALLS, type OpenAICall } from './openai-calls.ts';
import type { ApiRequest } from './api-request.ts';

export function toPython(origin: string, request: ApiRequest): string {
  const known = OPENAI_CALLS[request.path];
  return known ? withPackage(origin, request, known) : withLibrary(origin, request);
}

function withPackage(origin: string, { body, file, saveAs }: ApiRequest, known: OpenAICall): string {
  const { method, Python: printed } = known;
  const streams = 'stream' in body && body.stream === true && printed.chunk !== undefined;
  const upload = file === undefined ? [] : [`file=open(${literal(file, 'Python')}, "rb")`];
  const parameters = wrap(['(', ')'], [...upload, ...named(body, known)], 0);
  const head = `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["ASKD_API_KEY"])`;
  if (saveAs !== undefined) {
    const saving = method.replace(/\.create$/, '.with_streaming_response.create');
    return `${head}
with client.${saving}${parameters} as answer:
    answer.stream_to_file(${literal(saveAs, 'Python')})`;
  }
  if (!streams) return `${head}\nanswer = client.${method}${parameters}\nprint(${printed.answer})`;
  return `${head}
for chunk in client.${method}${parameters}:
    print(${printed.chunk}, end="", flush=True)`;
}

function named(body: object, { parameters }: OpenAICall): string[] {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  const isKnown = ([name]: [string, unknown]) => parameters.includes(name);
  const others = Object.fromEntries(given.filter((field) => !isKnown(field)));
  return [
    ...given.filter(isKnown).map(([name, value]) => `${name}=${literal(value, 'Python', 1)}`),
    ...(Object.keys(others).length === 0 ? [] : [`extra_body=${literal(others, 'Python', 1)}`]),
  ];
}

function withLibrary(origin: string, { path, body }: ApiRequest): string {
  return `import json, os
from urllib.request import Request, urlopen

body = ${literal(body, 'Python')}
request = Request(
  "${origin}${path}",
  data=json.dumps(body).encode(),
  headers={
    "Authorization": "Bearer " + os.environ["ASKD_API_KEY"],
    "Content-Type": "application/json",
  },
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`;
}
