export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The request as a program sends it, with its key in the environment. */
export function toCode(language: Language, origin: string, body: object): string {
  const json = JSON.stringify(body, null, 2);
  if (language === 'curl') {
    return `curl -N ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $ASKD_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", "'\\''")}'`;
  }
  if (language === 'JavaScript') {
    return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.ASKD_API_KEY });
const stream = await client.chat.completions.create(${json});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');`;
  }
  return `import json, os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["ASKD_API_KEY"])
request = json.loads(r"""
${json}
""")
for chunk in client.chat.completions.create(**request):
    print(chunk.choices[0].delta.content or "" if chunk.choices else "", end="")`;
}
